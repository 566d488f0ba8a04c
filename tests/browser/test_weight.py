"""What the first visit of a page costs on the wire, through the real server."""

from __future__ import annotations

import pytest

KILOBYTE = 1024


@pytest.mark.parametrize(
    ("where", "at_most"),
    [("/", 60), ("/rules/", 60), ("/rooms/new/", 60), ("room", 60), ("sheet", 60), ("table", 150)],
)
def test_first_load_is_light(seated, laid, where, at_most):
    page = seated(laid["crowd" if where == "room" else "thirty hands"]["cookies"][0])
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    scene = laid["crowd" if where == "room" else "knock" if where == "table" else "thirty hands"]
    page.goto(scene.get(where, where), wait_until="networkidle")
    assert len(sizes) > 3
    assert sum(sizes) <= at_most * KILOBYTE
