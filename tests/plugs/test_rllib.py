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


def test_a_snapshot_is_at_once_the_learner_on_every_worker_and_stays_so() -> None:
    from functools import partial

    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

    from solo_env.plugs.rllib import LEARNER, SelfPlay, SoloMultiAgentEnv

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config=DefaultModelConfig(fcnet_hiddens=[16])
    )
    config = (
        PPOConfig()
        .environment(SoloMultiAgentEnv, env_config={"seed": 1})
        .env_runners(num_env_runners=1)
        .training(train_batch_size_per_learner=200, minibatch_size=100, num_epochs=1, lr=1e-2)
        .multi_agent(policies={LEARNER}, policy_mapping_fn=lambda *_, **__: LEARNER, policies_to_train=[LEARNER])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={LEARNER: module}))
        .callbacks(partial(SelfPlay, every=2, most=2))
    )
    try:
        algorithm = config.build_algo()
        told = []
        for _ in range(6):
            algorithm.train()
            [weights] = algorithm.env_runner_group.foreach_env_runner(sizes_of_actors, local_env_runner=False)
            told.append(weights)
    finally:
        ray.shutdown()
    assert [sorted(weights) for weights in told[1::2]] == [
        ["past_1", LEARNER],
        *[["past_1", "past_2", LEARNER]] * 2,
    ]
    assert told[1]["past_1"] == told[1][LEARNER] == told[2]["past_1"] != told[2][LEARNER]
    assert told[3]["past_2"] == told[3][LEARNER] != told[3]["past_1"] == told[1]["past_1"]
    assert told[5]["past_1"] == told[5][LEARNER] != told[5]["past_2"] == told[3]["past_2"]


def sizes_of_actors(runner: object) -> dict[str, float]:
    """The sum of what each module's actor weighs, by which its weights are told apart."""
    return {
        name: float(
            sum(w.detach().abs().sum() for part, w in runner.module[name].named_parameters() if "vf" not in part)
        )
        for name in runner.module.keys()  # noqa: SIM118 - it is no dictionary
    }
