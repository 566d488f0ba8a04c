"""Money play for chips, on the page: what is staked, the stop-loss, what it came to for each."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.hands import click_on, take_turn
from tests.browser.test_axe import wrong_with

STAKED = "0,75 jeton le point, cave 150 jetons, commission 10 %"
GAIN = {"Vous gagnez": "Gain net", "Vous perdez": "Léo, gain net"}
SUMS = [
    ("Cave, 200 × 0,75", "150,00"),
    ("300 points (300 − 0) × 0,75", "225,00"),
    ("Jamais plus que la cave", "150,00"),
    ("Commission, 10 % de 150,00", "−15,00"),
]


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


def sums(page: Page) -> list[tuple[str, str]]:
    """The arithmetic as it stands on the page."""
    labels = page.locator(".chips-of dt").all_inner_texts()
    amounts = page.locator(".chips-of dd").all_inner_texts()
    return [(plain(label), plain(amount)) for label, amount in zip(labels, amounts, strict=True)]


def test_a_game_of_money_play_stops_at_the_buy_in(seated, laid):
    scene = laid["for chips"]
    leo, camille = (
        seated(cookie, screen)
        for cookie, screen in zip(scene["cookies"], ("laptop", "phone"), strict=True)
    )
    for page in (leo, camille):
        page.goto(scene["table"])
        expect(page.locator(".score .stake")).to_be_visible()
        assert plain(page.locator(".score .stake").inner_text()) == STAKED
        expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    for page in (leo, camille, leo):  # both pass, and Léo draws
        expect(page.locator("body")).to_have_attribute("data-turn", "mine")
        take_turn(page)
    expect(leo.locator("[data-act=gin]")).to_be_visible()
    take_turn(leo)
    verdicts = {leo: "Vous gagnez 135,00 jetons.", camille: "Vous perdez 150,00 jetons."}
    for page, verdict in verdicts.items():
        expect(page.locator(".chips-of h2")).to_have_text(verdict)
        expect(page.locator(".chips-of .pending")).to_have_count(0)
        assert sums(page) == [*SUMS, (GAIN[verdict[:11]], "135,00 jetons")]
        assert wrong_with(page, "the end") == []
    click_on(camille, "talk")
    expect(camille.locator("#talk .told-of")).to_contain_text("Léo gagne 135,00 jetons.")
    leo.goto("/chips/")
    moves = [plain(text) for text in leo.locator(".moves td.num").all_inner_texts()]
    assert moves[:4] == ["+285,00", "1 135,00", "−150,00", "850,00"]
    assert wrong_with(leo, "chips") == []
    for address in (scene["sheet"], scene["room"]):
        camille.goto(address)
        assert wrong_with(camille, address) == []
    camille.goto("/rooms/new/")
    camille.locator("[name=stakes_mode][value=money]").check()
    camille.fill("[name=stakes_amount]", "0,75")
    expect(camille.locator("#buy-in")).to_have_text("Chacun met 150.")
    assert wrong_with(camille, "form") == []
