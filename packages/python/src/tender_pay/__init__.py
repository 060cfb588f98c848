"""
The client for Tender, a self-hosted payment service.

    tender = Tender("https://pay.example", app_id="app_…", api_key="sk_sandbox_…")
    payment = tender.payments.get(10001)
"""
from __future__ import annotations

import time
from typing import Callable

from ._send import VERSION as __version__
from ._send import CallOptions, File, Id, ResultList, Sender, Settings
from .errors import TenderError
from .generated import types
from .generated.resources import Resources
from .webhooks import WebhookError, WebhookEvent, verify_webhook

__all__ = [
    "CallOptions",
    "File",
    "Id",
    "ResultList",
    "Tender",
    "TenderError",
    "WebhookError",
    "WebhookEvent",
    "__version__",
    "types",
    "verify_webhook",
]


class Tender(Resources):
    """A client for one app. It keeps no state: threads may share it."""

    def __init__(
        self,
        url: str,
        *,
        app_id: str,
        api_key: str,
        timeout: float = 40.0,
        max_retries: int = 3,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        `timeout` is for one try, in seconds; the service waits for providers up to 30 s. `sleep` replaces the
        wait between two tries, for tests.
        """
        super().__init__(Sender(Settings(url, app_id, api_key, timeout, max_retries, sleep)))
