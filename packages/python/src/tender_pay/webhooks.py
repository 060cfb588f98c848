"""Verifies webhooks of Tender. The signatures follow the Standard Webhooks specification."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from typing import Any, Mapping, Optional, Sequence, TypedDict, Union

from ._json import decode
from .generated.types import Payment

TOLERANCE_SECONDS = 300
PREFIX = "whsec_"


class WebhookTest(TypedDict):
    """A test event, sent on request: its type is `webhook.test`."""

    type: str
    eventId: str
    createdTime: str
    sequence: int


class WebhookEvent(WebhookTest, total=False):
    """A payment entered a state: `payment.state_changed`. Read the payment from the API before acting on it."""

    kind: str
    payment: Payment


class WebhookError(Exception):
    """
    The request must not be trusted. `problem` is `missing-header`, `too-old`, `too-new`, `wrong-signature`,
    `unusable-secret` or `not-json`.
    """

    def __init__(self, problem: str, message: str) -> None:
        super().__init__(message)
        self.problem = problem


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    Returns the event if the signature is valid and recent; raises a WebhookError otherwise. `raw_body` must be
    the received bytes: a parsed and re-serialised body may differ. `secret` may be a list during rotation.
    `now` is in seconds since 1970, for tests.
    """
    event_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    _check_age(timestamp, tolerance_seconds, time.time() if now is None else now)
    body = _sent(raw_body) if isinstance(raw_body, str) else raw_body
    content = _sent(f"{event_id}.{timestamp}.") + body
    secrets = [secret] if isinstance(secret, str) else secret
    if not _any_matches(secrets, signatures, content):
        raise WebhookError("wrong-signature", "None of the signatures was made with your secret.")
    try:
        event: WebhookEvent = decode(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise WebhookError("not-json", "The body is genuine but not JSON.") from error
    if not isinstance(event, dict):
        raise WebhookError("not-json", "The body is no event.")
    return event


def _sent(text: str) -> bytes:
    """The bytes of a text. Some servers keep bytes of headers that are not UTF-8 as surrogates."""
    return text.encode("utf-8", "surrogatepass")


def _header(headers: Mapping[str, Any], name: str) -> str:
    found = next((value for key, value in headers.items() if key.lower() == name), None)
    value = found[0] if isinstance(found, (list, tuple)) and found else found
    if not value:
        raise WebhookError("missing-header", f"The header {name} is missing.")
    return str(value)


def _check_age(timestamp: str, tolerance_seconds: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookError("missing-header", "The header webhook-timestamp is no number.")
    age = now - int(timestamp)
    if age > tolerance_seconds:
        raise WebhookError("too-old", "The webhook is too old: it may be a replay.")
    if age < -tolerance_seconds:
        raise WebhookError("too-new", "The webhook is from the future: check your clock.")


def _any_matches(secrets: Sequence[str], header: str, content: bytes) -> bool:
    given = [_bytes(part[3:]) for part in header.split(" ") if part.startswith("v1,")]
    matches = False
    for secret in secrets:
        expected = hmac.new(_key(secret), content, hashlib.sha256).digest()
        for signature in given:
            if signature is not None and hmac.compare_digest(expected, signature):
                matches = True
    return matches


def _key(secret: str) -> bytes:
    raw = _bytes(secret[len(PREFIX) :] if secret.startswith(PREFIX) else secret)
    if not raw:
        raise WebhookError("unusable-secret", "The secret is not one: it should look like whsec_….")
    return raw


def _bytes(text: str) -> Optional[bytes]:
    """Decodes base64; None if the text is invalid."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
