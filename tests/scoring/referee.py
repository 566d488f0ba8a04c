"""The score sheet worked out step by step from the rules (sections 7 to 9 and 12), to judge by.

``rules`` is the flat option dict; hands, ``ended`` and the answer are spelled as in the vectors.
"""

from __future__ import annotations

from typing import Any

Row = list[Any]


def hand_row(rules: dict[str, Any], number: int, hand: dict[str, Any]) -> Row:
    kind = hand["kind"]
    knocker, defender = hand["knocker_deadwood"], hand["defender_deadwood"]
    base, bonus = 1, 0
    if kind == "knock":
        base = defender - knocker
    elif kind in ("gin", "big_gin"):
        base, bonus = defender, rules[kind]
    elif kind == "undercut":
        base, bonus = knocker - defender, rules["undercut"]
    times = 2 if rules["spades_double"] and hand.get("spade") else 1
    return [hand["winner"], kind, number, base, bonus, times, (base + bonus) * times]


def bonus_rows(rules: dict[str, Any], rows: list[Row], winner: int, left: bool) -> list[Row]:
    loser = 1 - winner
    points = [sum(row[6] for row in rows if row[0] == seat) for seat in (0, 1)]
    won = [sum(row[0] == seat for row in rows) for seat in (0, 1)]
    amounts = [(winner, "game", rules["game_bonus"] or 0)]
    for seat in (0, 1):
        if seat == winner or rules["line_bonus_to"] == "each":
            amounts.append((seat, "line", (rules["line_bonus"] or 0) * won[seat]))
    spoilt = points[loser] if rules["shutout_when"] == "zero_points" else won[loser]
    if not left and not spoilt:
        shutout = 0
        if rules["shutout"] == "fixed":
            shutout = rules["shutout_points"]
        elif rules["shutout"] == "double_hands":
            shutout = points[winner]
        elif rules["shutout"] == "double_hands_and_game":
            shutout = points[winner] + rules["game_bonus"]
        amounts.append((winner, "shutout", shutout))
    amounts.sort(key=lambda amount: (amount[1], amount[0]))
    return [[seat, kind, None, base, 0, 1, base] for seat, kind, base in amounts if base]


def sheet(
    rules: dict[str, Any], hands: list[dict[str, Any]], ended: dict[str, Any] | None = None
) -> dict[str, Any]:
    rows: list[Row] = []
    points, reached = [0, 0], None
    for number, hand in enumerate(hands, 1):
        if hand["kind"] == "void":
            continue
        row = hand_row(rules, number, hand)
        rows.append(row)
        points[row[0]] += row[6]
        if points[row[0]] >= rules["target"]:
            reached = row[0]
    how = None if ended is None else ended["how"]
    left = how in ("resigned", "time", "claimed")
    winner = 1 - ended["by"] if ended is not None and left else reached
    if how in ("called_off", "voided"):
        winner = None
    bonuses = [] if winner is None else bonus_rows(rules, rows, winner, left)
    totals = [sum(row[6] for row in rows + bonuses if row[0] == seat) for seat in (0, 1)]
    by_total = winner is not None and not left and rules["winner_by"] == "total"
    if by_total and totals[1 - winner] > totals[winner]:
        winner = 1 - winner
    return {
        "lines": rows + bonuses,
        "hand_points": points,
        "totals": totals,
        "reached": reached,
        "winner": winner,
        "finished": reached is not None or how is not None,
    }
