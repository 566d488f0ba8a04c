"""The site's pages as a test reads them: a browser that speaks English, and what it is answered."""

from __future__ import annotations

from django.test import Client


def door(user=None):
    """A browser that speaks English, signed in or not."""
    client = Client()
    client.cookies["django_language"] = "en"
    if user is not None:
        client.force_login(user)
    return client


def read(response, status=200):
    """The page that was answered, with this status."""
    assert response.status_code == status, response.headers
    return response.content.decode()


def led_to(response):
    """The address to which one was sent on."""
    assert response.status_code == 302
    return response.headers["Location"]
