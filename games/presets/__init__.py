"""The named rule sets: named.py reads and writes them, words.py says them (rules, section 10)."""

from games.presets.named import DEFAULT, OPTIONS, PRESETS, Preset, RuleSet, preset_name, rule_set
from games.presets.words import agreed, difference, in_words

__all__ = [
    "DEFAULT",
    "OPTIONS",
    "PRESETS",
    "Preset",
    "RuleSet",
    "agreed",
    "difference",
    "in_words",
    "preset_name",
    "rule_set",
]
