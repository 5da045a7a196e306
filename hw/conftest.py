# SPDX-License-Identifier: Apache-2.0
"""The model of the core, for tests of the core and of its sequencer."""

import pytest


@pytest.fixture(scope="session")
def port(tmp_path_factory):
    from core_model import model_library  # most tests here do without it

    return model_library(tmp_path_factory.mktemp("model"))
