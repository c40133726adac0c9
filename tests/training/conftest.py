from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from solo_env.rules import Ruleset, load_ruleset
from training.checkpoint import State, new_state
from training.config import Config, load_config


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def ruleset() -> Ruleset:
    return load_ruleset("pagat")


@pytest.fixture(scope="session")
def smoke() -> Config:
    return load_config("smoke")


@pytest.fixture
def state(smoke: Config) -> State:
    return new_state(smoke)
