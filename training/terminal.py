"""Solo Whist in a terminal: a person against players, and a recorded game move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from gymnasium.utils import seeding

from solo_env import actions, record, render
from solo_env.cards import N_SEATS, SUIT_NAMES, card_text, sort_for_display
from solo_env.engine.bits import decision_key
from solo_env.laws import UnfinishedError, rule
from solo_env.player import Player, PlayerError, make_player, told
from solo_env.record import Record, RecordError
from solo_env.rules import Ruleset
from solo_env.rules.model import CONTRACTS, GENERAL, GENERAL_CONTRACT
from solo_env.session import SessionFile, write_session
from solo_env.table import IllegalActionError, Table, check_deals, check_seed
from solo_env.view import View

HELP = """\
Type the name of an action and press Enter:
  a call      {calls}
  trumps      TRUMPS C, TRUMPS D, TRUMPS H, TRUMPS S
  a card      suit then rank: SA the ace of spades, HT the ten of hearts, D2
  hint        what the other players' kind would do in your place, and why
  record      the game as one line, which holds all four hands: shown when the deal is over
  quit        leave the table"""


class _LeftError(Exception):
    """The person has left the table."""


def play_session(
    seat: int,
    player: Player,
    ruleset: Ruleset,
    deals: int,
    seed: int | None,
    ask: Callable[[str], str] = input,
    show: Callable[[str], None] = print,
    *,
    save: Path | None = None,
    explain: bool = False,
) -> None:
    """Play a session of ``deals`` deals, a person in ``seat`` and ``player`` in the other three.

    Args:
        seat: 0..3.
        player: decides for the others.
        ruleset: what is played.
        deals: at least 1.
        seed: names the deals; None draws one and says which.
        ask: reads a line after a prompt.
        show: prints a text.
        save: the session file, written whole after each deal; None for no file.
        explain: show the hint at each turn of the person's, and behind each deal why the others did what they did.

    Raises:
        OSError: the file cannot be written; it still holds the deals before.
    """
    table = Table(ruleset)
    check_deals(deals, ruleset)
    seed = int(seeding.np_random()[1]) % 2**63 if seed is None else check_seed(seed)
    show(f"You are player_{seat}; the others are {player.name}. Seed {seed}. '?' for help.\n")
    games: list[str] = []
    comment = f"{ruleset.title}; a person as player_{seat}, the others {player.name}, seed {seed}"
    table.deal(seed, deals=deals)
    try:
        while True:
            decided = _play_deal(table, seat, player, seed, ask, show, explain)
            show(render.text(table.view(seat), ruleset))
            if explain:
                show("\n".join(["why the others did so, from what each could see", *_explained(player, decided)]))
            games.append(table.record())
            show(f"record: {games[-1]}")
            if save:
                write_session(save, games, comment)
            if deals > 1:
                show(f"account after deal {table.data['deal'] + 1}: {_by_seat(table.account, ruleset)}\n")
            if table.session_over:
                return
            table.next_deal()
    except (_LeftError, EOFError):
        show("You have left the table.")


def _play_deal(
    table: Table,
    seat: int,
    player: Player,
    seed: int,
    ask: Callable[[str], str],
    show: Callable[[str], None],
    hints: bool,
) -> list[tuple[View, int]]:
    """Play a deal to its end; returns what the players decided, and from which views."""
    decided = []
    while not table.over:
        turn = table.turn
        if turn == seat:
            show(render.text(table.view(seat), table.ruleset))
            if hints:
                show(f"hint: {_why(player, table.view(seat))}")
            table.apply(_persons_action(table, player, ask, show))
        else:
            key = decision_key(seed, 0, turn, table.n_decisions)
            action = _players_action(table, player, key)
            if len(table.legal_actions()) > 1:
                decided.append((table.view(turn), action))
            table.apply(action)
            show(f"player_{turn}: {actions.text(action)}")
    return decided


def _players_action(table: Table, player: Player, key: int) -> int:
    """The action of a player, checked: a mistake of its own names it and the deal.

    Neither the record nor what the player says is told: either may tell of hands, and a person reads it.
    """
    try:
        action = player.act(table.view(table.turn), key)
    except (Exception, SystemExit) as error:
        raise PlayerError(
            f"{_whose(player, table)} failed while deciding: {type(error).__name__}. What else it says may tell of "
            "its hand; solo-whist evaluate shows it."
        ) from error
    if action not in table.legal_actions():
        raise PlayerError(f"{_whose(player, table)} chose {action!r}, which is not open.")
    return int(action)


def _whose(player: Player, table: Table) -> str:
    """A player, and the decision that it was to take."""
    deal, seed = int(table.data["deal"]) + 1, int(table.data["seed"])
    return (
        f"player {player.name!r} as player_{table.turn}, deal {deal} of seed {seed}, decision {table.n_decisions}"
    )


def _persons_action(table: Table, player: Player, ask: Callable[[str], str], show: Callable[[str], None]) -> int:
    """Ask until the answer is an action that is open."""
    while True:
        answer = ask("your turn> ").strip()
        word = answer.lower()
        if word in ("quit", "q", "exit"):
            raise _LeftError
        if word in ("?", "help", ""):
            show(HELP.format(calls=_calls(table.ruleset)))
        elif word == "hint":
            show(_why(player, table.view(table.turn)))
        elif word == "record":
            show("The record holds all four hands; it is shown when the deal is over.")
        else:
            try:
                return _parsed(table, answer.upper())
            except IllegalActionError as error:
                show(str(error))


def _parsed(table: Table, answer: str) -> int:
    """The open action that an answer names.

    Raises:
        IllegalActionError: it names none.
    """
    try:
        action = actions.parse(answer)
    except ValueError:
        legal = ", ".join(actions.text(action) for action in table.legal_actions())
        raise IllegalActionError(f"{answer!r} is no action; open are {legal}.") from None
    if action not in table.legal_actions():
        raise IllegalActionError(table.why_illegal(action))
    return action


def _explained(player: Player, decided: Iterable[tuple[View, int]]) -> list[str]:
    """Decisions as lines: who did what, and what a player says to the view that it was decided from."""
    return [f"  player_{view.seat}  {actions.text(action):<8}  {_why(player, view)}" for view, action in decided]


def _why(player: Player, view: View) -> str:
    """What a player says it would do, and why."""
    try:
        return " ".join(player.explain(view).split())
    except (Exception, SystemExit) as error:  # a player's own mistake need not end the person's game
        return f"player {player.name!r} cannot explain: {told(error)}."


def _calls(ruleset: Ruleset) -> str:
    """The calls of a ruleset, lowest first."""
    ladder = ruleset.ladder()
    proposals = ["PROP (propose)", "COP (accept)"] if "PROP" in ladder else []
    return ", ".join(["PASS", *proposals, *(call for call in ladder if call != "PROP")])


def replay_text(line: str, explain: str | None = None) -> str:
    """A recorded game as text: the hands as dealt, each call and trick with who made it, the result.

    Args:
        line: the record.
        explain: the spec of a player that says to each decision what it would do, and why, from what its seat saw.

    Raises:
        RecordError: the record is damaged or breaks the rules, or holds events where decisions are to be explained.
        PlayerError: the player cannot be made.
    """
    game = record.parse(line)
    if game.events:
        if explain is not None:
            raise RecordError("the record has events; what was decided can be explained of games without any.")
        return _ruled_text(game)
    end = Table.from_record(game)
    data = end.data
    names = [f"player_{seat}" for seat in range(N_SEATS)]
    lines = [f"{game.ruleset.name}: dealer player_{game.dealer}", "", "hands as dealt"]
    for seat, hand in enumerate(game.hands_by_seat()):
        lines.append(f"  {names[seat]}  {_cards(sort_for_display(hand))}")
    lines += [f"  {_suit_line(end)}", "", "auction"]
    for call, seat in zip(data["calls"][: data["n_calls"]], data["call_seats"], strict=False):
        named = f" in {SUIT_NAMES[int(data['named'])]}" if call == actions.ABU and data["named"] >= 0 else ""
        lines.append(f"  {names[seat]}  {actions.text(int(call))}{named}")
    if data["contract"] >= 0:
        lines += ["", _contract_line(end)]
    if data["n_plays"]:
        lines += ["", "tricks"]
    for first in range(0, int(data["n_plays"]), N_SEATS):
        count = min(N_SEATS, int(data["n_plays"]) - first)
        cards = data["plays"][first : first + count]
        leader = names[data["play_seats"][first]]
        winner = f"  won by {names[data['trick_winners'][first // N_SEATS]]}" if count == N_SEATS else ""
        lines.append(f"  {first // N_SEATS + 1:>2}  {leader} leads  {_cards(map(int, cards))}{winner}")
    if explain is not None:
        player = make_player(explain, game.ruleset)
        lines += ["", f"what {player.name} says to each decision, from what its seat saw"]
        lines += _explained(player, _decisions(game))
    lines.append("")
    lines.append(
        f"result: {_by_seat(end.payoffs, end.ruleset)}" if end.over else f"unfinished: {names[end.turn]} to act"
    )
    return "\n".join(lines)


def _decisions(game: Record) -> Iterator[tuple[View, int]]:
    """The decisions of a sound game, each with the view it was made from; forced moves are left out."""
    table = Table(game.ruleset)
    table.deal_hands(game.hands_by_seat(), game.dealer, game.suit)
    naming = [] if game.trump is None else [actions.FIRST_TRUMPS + game.trump]
    for action in (*game.calls, *naming, *game.plays):
        view = table.view(table.turn)
        if len(view.legal_actions()) > 1:
            yield view, action
        table.apply(action)


def _ruled_text(game: Record) -> str:
    """A game in which something went wrong as text: the hands as dealt, the ruling on it."""
    names = [f"player_{seat}" for seat in range(N_SEATS)]
    lines = [f"{game.ruleset.name}: dealer player_{game.dealer}", "", "hands as dealt"]
    for name, hand in zip(names, game.hands_by_seat(), strict=True):
        lines.append(f"  {name}  {_cards(sort_for_display(hand))}")
    try:
        ruling = str(rule(game))
    except UnfinishedError as error:
        ruling = f"unfinished: {error}"
    return "\n".join([*lines, "", "ruling", ruling])


def session_report(session: SessionFile) -> str:
    """A session with at least one game as text: a line a deal, and the account by seat."""
    ruleset = session.games[0].ruleset
    told = [_outcome_and_end(game) for game in session.games]
    width, digits = max(len(outcome) for outcome, _ in told), len(str(len(told)))
    lines = [f"{ruleset.name}: {counted(len(told), 'deal')}", ""]
    for number, (game, (outcome, end)) in enumerate(zip(session.games, told, strict=True), 1):
        lines.append(f"deal {number:>{digits}}  dealer player_{game.dealer}  {outcome:<{width}}  {end}")
    finished = sum(game.result is not None for game in session.games)
    account = _by_seat(session.account, ruleset)
    return "\n".join([*lines, "", f"account over {counted(finished, 'finished deal')}: {account}"])


def counted(number: int, what: str) -> str:
    """A number with its noun: "1 deal", "2 deals"."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _outcome_and_end(game: Record) -> tuple[str, str]:
    """What became of a game, and its result, or what is missing where it has none."""
    end = "no result"
    if game.result is not None:
        units = [game.result[(seat - game.dealer - 1) % N_SEATS] for seat in range(N_SEATS)]
        end = f"result: {_by_seat(units, game.ruleset)}"
    if game.events:
        return f"ruled on, {counted(len(game.events), 'event')}", end
    table = Table.from_record(game)
    return _outcome(table), end if table.over else f"unfinished: player_{table.turn} to act"


def _outcome(table: Table) -> str:
    """What the auction of a table has led to."""
    if table.data["contract"] >= 0:
        return _contract_line(table).removeprefix("contract: ")
    return "thrown in" if table.over else ("in the auction" if table.data["n_calls"] else "not yet called")


def _suit_line(table: Table) -> str:
    """The turned card, or the deal's suit where none is turned up."""
    turned, suit = int(table.data["turned_card"]), int(table.data["suit"])
    if turned >= 0:
        return f"turned up: {card_text(turned)}"
    return f"the deal's suit: {SUIT_NAMES[suit] if suit >= 0 else 'none'}"


def _contract_line(table: Table) -> str:
    data = table.data
    if data["contract"] == GENERAL:
        return f"contract: {GENERAL_CONTRACT.title}, no trumps"
    contract = CONTRACTS[int(data["contract"])]
    who = f"player_{int(data['declarer'])}"
    if data["partner"] >= 0:
        who += f" with player_{int(data['partner'])}"
    trump = int(data["trump"])
    trumps = SUIT_NAMES[trump] if trump >= 0 else ("no trumps" if trump == -1 else "trumps not yet named")
    return f"contract: {contract.title} by {who}, {trumps}"


def _cards(cards: Sequence[int] | map[int]) -> str:
    return " ".join(card_text(card) for card in cards)


def _by_seat(units: Sequence[int], ruleset: Ruleset) -> str:
    return ", ".join(f"player_{seat} {ruleset.amount(amount)}" for seat, amount in enumerate(units))
