"""RLlib: observations for the seat on turn only, and payments that its own episodes give to the right seats."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.plugs  # pip install "ray[rllib]"


def test_each_seat_is_paid_what_the_engine_pays_over_500_deals() -> None:
    from ray.rllib.env.multi_agent_episode import MultiAgentEpisode

    from solo_env.plugs.rllib import AGENTS, SoloMultiAgentEnv

    env, paid = SoloMultiAgentEnv({"seed": 3}), 0.0
    rng = np.random.default_rng(3)
    for _ in range(500):
        episode = MultiAgentEpisode(
            observation_space=env.observation_spaces, action_space=env.action_spaces, agent_module_ids={}
        )
        seen, infos = env.reset()
        episode.add_env_reset(observations=seen, infos=infos)
        while not episode.is_done:
            [(agent, told)] = seen.items()
            assert env.observation_spaces[agent].contains(told)
            action = {agent: int(rng.choice(np.flatnonzero(told["action_mask"])))}
            seen, rewards, ended, cut, infos = env.step(action)
            assert len(seen) == (4 if ended["__all__"] else 1)
            episode.add_env_step(seen, action, rewards, infos, terminateds=ended, truncateds=cut)
        learnt = [float(sum(episode.agent_episodes[agent].get_rewards())) for agent in AGENTS]
        assert learnt == [float(units) for units in env.table.payoffs]
        paid += float(np.abs(learnt).sum())
    assert paid > 0


def test_an_illegal_action_ends_the_episode_at_its_seats_cost() -> None:
    from solo_env.plugs.rllib import SoloMultiAgentEnv

    env = SoloMultiAgentEnv({"seed": 3})
    seen, _ = env.reset()
    [agent] = seen
    seen, rewards, ended, _, _ = env.step({agent: 0})
    assert ended["__all__"]
    assert rewards == dict.fromkeys(rewards, 0.0) | {agent: -float(env.penalty)}
    assert all(not told["action_mask"].any() for told in seen.values())
    with pytest.raises(RuntimeError, match="no episode is under way"):
        env.step({agent: 52})
    assert len(env.reset()[0]) == 1


def test_copies_play_other_deals_of_the_seed() -> None:
    from solo_env.plugs.rllib import SoloMultiAgentEnv

    one, other = SoloMultiAgentEnv({"seed": 3}), SoloMultiAgentEnv({"seed": 3})
    one.reset()
    other.reset()
    assert one.table.record() != other.table.record()


def test_a_seat_out_of_turn_and_an_unknown_option_are_refused() -> None:
    from solo_env.plugs.rllib import SoloMultiAgentEnv

    env = SoloMultiAgentEnv({"seed": 3})
    seen, _ = env.reset()
    [agent] = seen
    other = f"player_{(int(agent[-1]) + 1) % 4}"
    with pytest.raises(ValueError, match=f"it is the turn of {agent}"):
        env.step({other: 52})
    with pytest.raises(ValueError, match="there is no option 'rules'"):
        SoloMultiAgentEnv({"rules": "pagat"})


def test_snapshots_sit_in_one_to_three_seats_of_their_share_of_the_episodes() -> None:
    from types import SimpleNamespace

    from solo_env.plugs.rllib import AGENTS, LEARNER, module_of

    n, seats = 3000, []
    for number in range(n):
        episode = SimpleNamespace(id_=f"episode {number}")
        modules = [module_of(agent, episode, 2, 0.4) for agent in AGENTS]
        assert modules == [module_of(agent, episode, 2, 0.4) for agent in AGENTS]
        seats.append(sum(module != LEARNER for module in modules))
    shares = np.bincount(seats, minlength=5) / n
    assert shares == pytest.approx([0.6, 0.4 / 3, 0.4 / 3, 0.4 / 3, 0], abs=0.03)
    assert module_of("player_0", SimpleNamespace(id_="any"), 0, 1.0) == LEARNER
