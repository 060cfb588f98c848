"""What a call raises."""
from __future__ import annotations

import time
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional

from ._json import decode


class TenderError(Exception):
    """
    A call was refused or got no usable answer. `code` is for your program, the text of the error for your log.

    `code` is one of the catalogue of the service, or `no_answer`, `timed_out` or `unreadable_answer`. After
    `no_answer`, `timed_out` and a status of 500 or more it is not known whether the call had an effect: read
    the payment, or repeat the call with the same `idempotency_key`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        problem: Optional[Dict[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        # The HTTP status; None without an answer.
        self.status = status
        # Identifies the request in the log of the service.
        self.request_id = request_id
        # When the same call may be sent again, in seconds.
        self.retry_after = retry_after
        # The body of the answer, with further members such as `paymentState` and `allowedActions`.
        self.problem = problem

    @property
    def retryable(self) -> bool:
        """Whether the same call, with the same `idempotency_key`, may succeed later."""
        is_unknown = self.code in ("no_answer", "timed_out") or (self.status or 0) >= 500
        return is_unknown or self.status == 429 or self.retry_after is not None

    @property
    def fields(self) -> List[Dict[str, str]]:
        """Every field that the service refused."""
        fields = (self.problem or {}).get("errors")
        return fields if isinstance(fields, list) else []


def refusal(status: int, headers: Mapping[str, str], text: bytes) -> TenderError:
    """The error for an answer with a status other than 2xx."""
    problem = _problem_in(text)
    return TenderError(
        problem["code"] if problem else "unreadable_answer",
        problem["detail"] if problem else f"The answer has the status {status} and is not from Tender.",
        status=status,
        request_id=headers.get("x-request-id"),
        retry_after=_retry_after(headers.get("retry-after")),
        problem=problem,
    )


def _problem_in(text: bytes) -> Optional[Dict[str, Any]]:
    try:
        problem = decode(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(problem, dict):
        return None
    is_one = isinstance(problem.get("code"), str) and isinstance(problem.get("detail"), str)
    return problem if is_one else None


def _retry_after(value: Optional[str]) -> Optional[float]:
    """In seconds; a proxy may send a date instead."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, date.timestamp() - time.time())
