"""Sends calls: keys, retries, time limits and pages. Every try of a call carries the same key."""
from __future__ import annotations

import http.client
import random
import re
import socket
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, Sequence, Tuple, TypedDict
from typing import TypeVar, Union
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from ._json import decimal_text, decode, encode, refuse_float
from .errors import TenderError, refusal

VERSION = "0.1.0"

# An id in a path.
Id = Union[str, int]
T = TypeVar("T")

FIRST_WAIT_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 8.0
# A longer Retry-After is for the caller to decide.
LONGEST_RETRY_AFTER_SECONDS = 60
CHUNK_BYTES = 65_536


class CallOptions(TypedDict, total=False):
    # Identifies this call. All tries carry the same key, a random one by default. Give your own if you
    # repeat the call yourself after an error.
    idempotency_key: str
    # How long the service waits for a provider: up to 30 seconds, 10 by default. 0: it answers at once.
    wait_seconds: int
    # Time for one try, in seconds.
    timeout: float
    # How many times the call is sent again.
    max_retries: int
    # Another credential, such as the operator token for `licenses.create`.
    api_key: str
    # Further headers, such as `sealing-key` of an import.
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Settings:
    url: str
    app_id: str
    api_key: str = field(repr=False)
    timeout: float
    max_retries: int
    sleep: Callable[[float], None]


@dataclass(frozen=True)
class _Answer:
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True)
class _Request:
    method: str
    url: str
    data: Optional[bytes]
    headers: Mapping[str, str] = field(repr=False)
    timeout: float
    max_retries: int
    # Whether a try without an answer may be repeated. Licences have no app that would remember the key.
    is_repeatable: bool

    def for_try(self) -> urllib.request.Request:
        """Each try has its own: urllib writes the proxy into it, and would leave the tunnel with the second."""
        return urllib.request.Request(self.url, self.data, dict(self.headers), method=self.method)


class ResultList(Generic[T]):
    """The rows of a list. Pages are read while you iterate."""

    def __init__(self, read: Callable[[Any], Tuple[List[T], Optional[Dict[str, str]]]], query: Any) -> None:
        self._read = read
        self._query = query

    def pages(self) -> Iterator[List[T]]:
        query = self._query
        while True:
            rows, query = self._read(query)
            yield rows
            if query is None:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page

    def take(self, count: int) -> List[T]:
        """The first rows, at most `count`."""
        taken: List[T] = []
        if count > 0:
            for row in self:
                taken.append(row)
                if len(taken) >= count:
                    break
        return taken


class File:
    """A file that is read while it arrives: iterate over it, `read` it as a whole, or `save` it."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        found = re.search(r'filename="([^"]+)"', response.headers.get("content-disposition", ""))
        # As the service names it.
        self.name: Optional[str] = found[1] if found else None
        self.content_type: str = response.headers.get("content-type", "")

    def __iter__(self) -> Iterator[bytes]:
        with self._response:
            while True:
                chunk = self._chunk()
                if chunk == b"":
                    return
                yield chunk

    def _chunk(self) -> bytes:
        try:
            chunk = self._response.read(CHUNK_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise _cut_off() from error
        # With a size, http.client takes a connection that ends early for the end of the file.
        if chunk == b"" and self._response.length:
            raise _cut_off()
        return chunk

    def read(self) -> bytes:
        return b"".join(self)

    def save(self, path: str) -> None:
        with open(path, "wb") as target:
            for chunk in self:
                target.write(chunk)


class Sender:
    def __init__(self, settings: Settings) -> None:
        if urlsplit(settings.url).scheme not in ("http", "https"):
            raise ValueError(f"'{settings.url}' is not an address such as https://pay.example.")
        self._settings = settings
        # Without handlers for redirects and refusals: the key is sent to the configured address only.
        self._opener = urllib.request.OpenerDirector()
        for handler in (urllib.request.ProxyHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
            self._opener.add_handler(handler())

    def call(
        self,
        method: str,
        path: str,
        ids: Sequence[Id],
        *,
        body: Any = None,
        query: Any = None,
        options: Optional[CallOptions] = None,
    ) -> Any:
        # Bytes are sent as they are.
        data = body if body is None or isinstance(body, bytes) else encode(body).encode()
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        url = self._address(path, ids, query)
        request = self._request(method, url, data, options or {}, "{appId}" in path, kind)
        answer = self._exchange(request, self._attempt)
        return None if answer.body == b"" else _parsed(answer.body)

    def list(
        self, path: str, ids: Sequence[Id], *, query: Any = None, options: Optional[CallOptions] = None
    ) -> ResultList[Any]:
        def read(given: Any) -> Tuple[List[Any], Optional[Dict[str, str]]]:
            url = self._address(path, ids, given)
            answer = self._exchange(self._request("GET", url, None, options or {}, True), self._attempt)
            return _rows(answer.body), _next_query(answer.headers.get("link"))

        return ResultList(read, query)

    def file(
        self, path: str, ids: Sequence[Id], *, query: Any = None, options: Optional[CallOptions] = None
    ) -> File:
        request = self._request("GET", self._address(path, ids, query), None, options or {}, True)
        return self._exchange(request, self._open_file)

    def _address(self, path: str, ids: Sequence[Id], query: Any) -> str:
        rest = iter(ids)

        def fill(match: "re.Match[str]") -> str:
            return _segment(self._settings.app_id if match[1] == "appId" else next(rest))

        filled = re.sub(r"\{(\w+)\}", fill, path)
        return self._settings.url.rstrip("/") + filled + _query_text(query or {})

    def _request(
        self,
        method: str,
        url: str,
        data: Optional[bytes],
        options: CallOptions,
        has_app: bool,
        kind: str = "application/json",
    ) -> _Request:
        settings = self._settings
        headers = {
            **options.get("headers", {}),
            "Authorization": f"Bearer {_checked_key(options.get('api_key', settings.api_key))}",
            "User-Agent": f"tender-pay-python/{VERSION}",
        }
        if data is not None:
            headers["Content-Type"] = kind
        if method == "POST":
            headers["Idempotency-Key"] = _key_of(options)
        wait = options.get("wait_seconds")
        if wait is not None:
            headers["Prefer"] = "respond-async" if wait == 0 else f"wait={wait}"
        return _Request(
            method,
            url,
            data,
            headers,
            options.get("timeout", settings.timeout),
            options.get("max_retries", settings.max_retries),
            has_app or method == "GET",
        )

    def _exchange(self, request: _Request, attempt: Callable[[_Request], T]) -> T:
        """Sends the request until it is answered for good, at most `max_retries` times more."""
        retries = 0
        while True:
            try:
                return attempt(request)
            except TenderError as error:
                if retries >= request.max_retries or not _may_repeat(error, request):
                    raise
                self._settings.sleep(_wait_seconds(error, retries))
                retries += 1

    def _attempt(self, request: _Request) -> _Answer:
        deadline = time.monotonic() + request.timeout
        try:
            with self._opener.open(request.for_try(), timeout=request.timeout) as response:
                body = _read(response, deadline)
                status, headers = response.status, _lower(response)
        except (OSError, http.client.HTTPException) as error:
            raise _no_answer(error, request) from error
        if 200 <= status < 300:
            return _Answer(body, headers)
        raise refusal(status, headers, body)

    def _open_file(self, request: _Request) -> File:
        """The time limit is for each packet of the file."""
        deadline = time.monotonic() + request.timeout
        try:
            response = self._opener.open(request.for_try(), timeout=request.timeout)
            if 200 <= response.status < 300:
                return File(response)
            with response:
                body = _read(response, deadline)
        except (OSError, http.client.HTTPException) as error:
            raise _no_answer(error, request) from error
        raise refusal(response.status, _lower(response), body)


def _key_of(options: CallOptions) -> str:
    key = options.get("idempotency_key")
    return str(uuid.uuid4()) if key is None else key


def _checked_key(key: str) -> str:
    """The HTTP client refuses a key with a line break too, and names the key in its error."""
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError(
            "The API key is empty or has a space, a line break or another character that no key has."
        )
    return key


def _cut_off() -> TenderError:
    return TenderError("no_answer", "The file did not arrive whole.")


def _lower(response: http.client.HTTPResponse) -> Dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _no_answer(error: Exception, request: _Request) -> TenderError:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return TenderError("timed_out", f"No answer within {request.timeout:g} s.")
    return TenderError("no_answer", f"No answer: {reason or 'the connection failed.'}")


def _read(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """The limit of a socket counts for each packet, the deadline for all of them."""
    length = response.length
    body = bytearray()
    while length is None or len(body) < length:
        chunk = response.read1(CHUNK_BYTES if length is None else min(CHUNK_BYTES, length - len(body)))
        if chunk == b"":
            break
        body += chunk
        if time.monotonic() > deadline:
            raise TimeoutError
    if length is not None and len(body) < length:
        raise http.client.IncompleteRead(bytes(body), length - len(body))
    return bytes(body)


def _may_repeat(error: TenderError, request: _Request) -> bool:
    """Refusals with a time to come back did nothing. Other answers of 500 and more, and none, may have."""
    if error.retry_after is not None:
        return error.retry_after <= LONGEST_RETRY_AFTER_SECONDS
    return error.retryable and (error.status == 429 or request.is_repeatable)


def _wait_seconds(error: TenderError, retries: int) -> float:
    """Doubled with each try; half of it random, so that clients do not come back together."""
    most = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0**retries)
    return max(most / 2 + most / 2 * random.random(), error.retry_after or 0)


def _segment(value: Id) -> str:
    """A part of a path. Dots alone would name another path."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"'{text}' cannot be part of the address of a call.")
    return quote(text, safe="")


def _query_text(query: Mapping[str, Any]) -> str:
    given = [(name, _query_value(value)) for name, value in query.items() if value is not None]
    return "?" + urlencode(given) if given else ""


def _query_value(value: Any) -> str:
    if isinstance(value, float):
        refuse_float(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return decimal_text(value) if isinstance(value, Decimal) else str(value)


def _next_query(link: Optional[str]) -> Optional[Dict[str, str]]:
    """Only the query is used: the key is never sent to an address that an answer names."""
    found = re.search(r'<[^>?]*\?([^>]*)>;\s*rel="next"', link or "")
    return dict(parse_qsl(found[1])) if found else None


def _rows(text: bytes) -> List[Any]:
    rows = _parsed(text)
    if not isinstance(rows, list):
        raise TenderError("unreadable_answer", "The answer is no list.")
    return rows


def _parsed(text: bytes) -> Any:
    try:
        return decode(text)
    except (ValueError, RecursionError) as error:
        raise TenderError("unreadable_answer", "The answer is not JSON.") from error
