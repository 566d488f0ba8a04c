"""Who plays in the demonstration, where, and what they say. In French, as the site is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from games.models import Pace

# The first plays most. ``knock_at``: with how much deadwood each knocks, as far as they may.
NAMES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "Camille": 6,
        "Bastien": 10,
        "Margaux": 10,
        "Thibault": 2,
        "Élodie": 8,
        "Yannick": 10,
        "Solène": 5,
        "Rémi": 0,
        "Noémie": 9,
        "Gaspard": 10,
        "Apolline": 4,
        "Lucien": 7,
    }
)
AT_THE_TABLE_ONLY: Final = ("Mamie Odette", "Papi Jean", "Tante Huguette")  # no accounts
PRACTICE: Final = "Entraînement"
FRIENDLY: Final = 8  # how they knock


@dataclass(frozen=True, slots=True)
class Place:
    """A room. ``every``: it is for each so-manieth of the friends, and always for the first."""

    name: str
    options: Mapping[str, Any]
    public: bool = False
    pace: str = Pace.NONE
    every: int = 1
    stakes: Mapping[str, str] = field(default_factory=dict)
    weight: int = 2  # how often people play there

    def is_for(self, person: int) -> bool:
        return person % self.every == 0


PLACES: Final = (
    Place("Les cousins du jeudi", {"preset": "complete"}, weight=6),
    Place(
        "Café de la Place",
        {"preset": "money_play"},
        public=True,
        pace=Pace.RELAXED,
        stakes={"mode": "money", "amount": "0.02", "commission": "house"},
        weight=4,
    ),
    Place(
        "Chez Odette",
        {"preset": "classic_20_10"},
        every=2,
        stakes={"mode": "match", "amount": "2", "unit": "EUR", "source": "tab", "tab_limit": "200"},
    ),
    Place("Pause déjeuner", {"preset": "first_to_knock"}, public=True, pace=Pace.HALF, weight=1),
    Place("Oklahoma du samedi", {"preset": "oklahoma_spades"}, public=True),
    Place(
        "Le grand tournoi",
        {"preset": "points_only", "target": 250},
        stakes={"mode": "purse", "amount": "20", "commission": "house"},
        weight=1,
    ),
    Place("Un coup par jour", {"preset": "sheet", "undercut": 20}, pace=Pace.DAY, weight=1),
)

AT_TABLES: Final = (
    "Bien joué !",
    "Quelle donne… je n'ai rien vu passer.",
    "Encore une ?",
    "Gin ! Enfin.",
    "Tu m'as eu avec ce contre.",
    "Je dois filer, à jeudi !",
    "Deux minutes, je fais chauffer l'eau.",
    "J'attendais le neuf depuis le début.",
    "Belle remontée.",
    "La pioche est vraiment contre moi.",
    "Tu frappes toujours trop tôt 😄",
    "Merci pour la partie.",
    "Il me manquait la dame de cœur.",
    "Trois manches d'affilée, je ne dis plus rien.",
)
IN_ROOMS: Final = (
    "Bonsoir tout le monde !",
    "Qui vient jouer ce soir ?",
    "Samedi je serai là vers vingt heures.",
    "On remet ça demain soir ?",
    "Pas disponible avant dimanche, désolé.",
    "Belle soirée, merci !",
    "Quelqu'un pour une revanche ?",
    "J'apporte mes cartes la semaine prochaine.",
    "Je reviens de vacances, gare à vous.",
    "Le classement se resserre…",
)
WAITS_IN: Final = "Café de la Place"  # somebody waits at a table there
MISCOUNTED: Final = "Erreur de décompte signalée par les deux joueurs"
