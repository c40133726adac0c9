"""OpenSpiel's own tests, the engine's payments, and resampling that knows no more than a seat does."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest

from solo_env.player import PlayerError, make_player
from solo_env.plugs import openspiel
from solo_env.plugs.openspiel import SoloBot, SoloGame, SoloState, evaluate_bots
from solo_env.record import from_table
from solo_env.table import Table
from tests.hidden_cards import pairs
from tests.playing import in_contract, random_game, whole_game

RULESETS = ["pagat", "hoyle", "anna_cubed", "grand_slam_solo", "everything2"]


def game_of(ruleset: str) -> SoloGame:
    return pyspiel.load_game(f"{openspiel.NAME}(ruleset={ruleset})")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_passes_the_toolkits_own_simulation(ruleset: str) -> None:
    pyspiel.random_sim_test(game_of(ruleset), num_sims=20, serialize=True, verbose=False)


def test_a_ruleset_that_there_is_not_is_refused() -> None:
    with pytest.raises(Exception, match="there is no ruleset 'nowhere'"):
        game_of("nowhere")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_same_history_pays_what_the_engine_pays(ruleset: str) -> None:
    game, rng = game_of(ruleset), random.Random(3)
    for _ in range(100):
        table = whole_game(game.ruleset, rng)
        assert table.over
        state = game.state_of(table)
        assert state.is_terminal()
        assert state.returns() == [float(units) for units in table.payoffs]
        assert sum(state.rewards()) == 0


def test_legal_actions_are_the_engines_on_every_step() -> None:
    game, rng = game_of("pagat"), random.Random(4)
    for _ in range(20):
        end = whole_game(game.ruleset, rng)
        told = from_table(end.data, end.ruleset)
        table, state = Table("pagat"), game.new_initial_state()
        table.deal_hands(told.hands_by_seat(), told.dealer)
        for action in game.state_of(table).full_history():
            state.apply_action(action.action)
        for action in told.made():
            assert state.current_player() == table.turn
            assert state.legal_actions() == table.legal_actions()
            state.apply_action(action)
            table.apply(action)


def test_chance_deals_every_card_once_and_the_dealer_is_any_seat() -> None:
    game, rng = game_of("anna_cubed"), np.random.default_rng(5)
    state, drawn = game.new_initial_state(), []
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        assert sum(chances) == pytest.approx(1)
        drawn.append(int(rng.choice(outcomes, p=chances)))
        state.apply_action(drawn[-1])
    dealer, suit, *cards = drawn
    assert sorted(cards) == list(range(52))
    assert (dealer, suit) == (int(state.table.data["dealer"]), int(state.table.data["suit"]) % 5)


def test_what_a_seat_is_told_does_not_depend_on_hidden_cards() -> None:
    for pair in pairs("pagat", 60):
        game = game_of("pagat")
        told = []
        for line in (pair.game, pair.twin):
            state = game.state_of(Table.from_record(str(line)))
            again = random.Random(1).random
            resampled = [] if state.is_terminal() else [str(state.resample_from_infostate(pair.seat, again))]
            told.append(
                (
                    state.information_state_string(pair.seat),
                    state.information_state_tensor(pair.seat),
                    state.observation_string(pair.seat),
                    state.observation_tensor(pair.seat),
                    state.legal_actions(pair.seat),
                    resampled,
                )
            )
        assert told[0] == told[1]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_resampled_state_is_one_that_the_seat_cannot_tell_apart(ruleset: str) -> None:
    game, rng, differ = game_of(ruleset), random.Random(6), 0
    for _ in range(60):
        state = game.state_of(random_game(game.ruleset, rng))
        if state.is_terminal():
            continue
        for seat in range(4):
            other = state.resample_from_infostate(seat, rng.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert other.current_player() == state.current_player()
            differ += str(other) != str(state)
    assert differ > 100


def test_chance_draws_nothing_twice_and_no_fifth_dealer() -> None:
    state = game_of("pagat").new_initial_state()
    with pytest.raises(ValueError, match="chance cannot draw 9"):
        state._apply_action(9)
    state.apply_action(1)
    state.apply_action(7)
    with pytest.raises(ValueError, match="chance cannot draw 7"):
        state._apply_action(7)
    with pytest.raises(PlayerError, match="simulations"):
        make_player("solo_env.plugs.openspiel:IsmctsPlayer,simulations=0")


def test_nothing_is_known_before_the_cards_are_dealt() -> None:
    state = game_of("pagat").new_initial_state()
    state.apply_action(2)
    state.apply_action(17)
    assert not any(state.information_state_tensor(0))
    with pytest.raises(ValueError, match="not dealt yet"):
        state.resample_from_infostate(0, random.random)


def test_a_clone_goes_its_own_way() -> None:
    state = game_of("pagat").state_of(in_contract("SOLO", random.Random(8)))
    before, clone = str(state), state.clone()
    assert isinstance(clone, SoloState)
    while not clone.is_terminal():
        clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before != str(clone)


def test_players_are_bots_at_its_tables() -> None:
    game = game_of("pagat")
    bots = [SoloBot(make_player("expert" if seat == 0 else "random"), seat) for seat in range(4)]
    units = evaluate_bots(game, bots, 60, seed=1)
    assert units.sum() == pytest.approx(0)
    assert units[0] > 0


def test_its_search_is_a_player_at_ours() -> None:
    player = make_player("solo_env.plugs.openspiel:IsmctsPlayer,simulations=5")
    table = in_contract("SOLO", random.Random(9))
    seen = table.view(table.turn)
    assert player.act(seen, 3) in seen.legal_actions()
    assert player.act(seen, 3) == player.act(seen, 3)
