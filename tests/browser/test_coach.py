"""The coach in the browser: asked with a click, it answers on the same page; without script too."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.test_axe import wrong_with


def replay_of(laid, scene):
    return f"{laid[scene]['sheet']}hands/1/"


def test_the_coach_answers_on_the_page(seated, laid):
    page = seated(laid["after a knock"]["cookies"][0], "phone")
    page.goto(replay_of(laid, "after a knock") + "?ply=3")
    page.click("text=Demander au coach")
    expect(page.locator("#coach summary", has_text="Tous vos choix")).to_be_visible(timeout=30_000)
    assert page.inner_text("[data-at]") == "3 / 4"
    page.click("text=Tous vos choix")
    choice = page.locator("#coach [data-ply='4']")
    expect(choice).not_to_have_attribute("open", "")
    choice.locator("summary").click()
    expect(choice.locator(".mine")).to_contain_text("frapper à 7 en jetant")
    choice.locator("a").click()
    assert page.inner_text("[data-at]") == "4 / 4"
    assert page.url.endswith("?ply=4")
    page.click("[data-step='-1']")
    expect(choice).not_to_have_attribute("open", "")
    assert wrong_with(page, "the coach") == []


def test_the_coach_is_asked_without_script(seated, laid):
    page = seated(laid["after a knock"]["cookies"][1], "laptop", java_script_enabled=False)
    page.goto(replay_of(laid, "after a knock"))
    page.click("text=Demander au coach")
    answered = page.locator("#coach summary", has_text="Tous vos choix")
    for _look in range(30):
        if answered.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(answered).to_be_visible()
