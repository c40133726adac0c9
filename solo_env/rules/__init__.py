"""Rulesets as data: load one by name, check it, pack it for the kernels."""

from solo_env.rules.load import DEFAULT_RULESET, load_ruleset, shipped_rulesets
from solo_env.rules.model import CONTRACTS, Contract, Ruleset, RulesetError, RulesetWarning
from solo_env.rules.pack import RULES, pack, pack_array, worst_payoff

__all__ = [
    "CONTRACTS",
    "DEFAULT_RULESET",
    "RULES",
    "Contract",
    "Ruleset",
    "RulesetError",
    "RulesetWarning",
    "load_ruleset",
    "pack",
    "pack_array",
    "shipped_rulesets",
    "worst_payoff",
]
