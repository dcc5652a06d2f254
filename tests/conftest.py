"""What several tests draw from: recordings that are committed, pictures made of them, a real Chromium."""

import os
import shutil
import signal
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from flowgen import api
from flowgen.trace import Trace
from tests.traces import SAMPLES

# the same examples in every run, however slow the machine is: what holds a change up is the change. Those that nobody
# has seen yet are looked for with --hypothesis-profile=search
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=1000)
settings.load_profile("steady")


# what a shell starts in the background does not hear interrupts, nor do its children: some tests interrupt theirs
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def seed() -> Trace:
    """The committed recording of the bundled demo server."""
    return api.load(SAMPLES / "seed.json")


@pytest.fixture(scope="session")
def picture() -> Callable[..., ET.Element]:
    """Draws a trace and parses the SVG."""

    def draw(trace: Trace, **options: Any) -> ET.Element:
        return ET.fromstring(api.drawing(trace, **options).svg)

    return draw


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a real Chromium."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None and os.environ.get("FLOWGEN_REQUIRE_REAL"):
        pytest.fail("Chromium is missing, and FLOWGEN_REQUIRE_REAL is set")
    if path is None:
        pytest.skip("Chromium is not installed")
    return path
