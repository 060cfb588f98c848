"""Runs calls of the Python client: a line of JSON for each, and a line for its result."""
import json
import sys
from decimal import Decimal

from tender_pay import File, ResultList, Tender, TenderError, WebhookError, verify_webhook

given = json.loads(sys.stdin.readline())
waits = []
tender = Tender(given["url"], app_id=given["appId"], api_key=given["apiKey"], sleep=waits.append)


def snake(name):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


def rows(found, read):
    if isinstance(found, File):
        return {"type": found.content_type, "text": found.read().decode("utf-8-sig")}
    if not isinstance(found, ResultList):
        return found
    if read == "pages":
        return list(found.pages())
    return list(found) if read is None else found.take(read)


def exact(value):
    if list(value) == ["file"]:
        return value["file"].encode()
    return Decimal(value["decimal"]) if list(value) == ["decimal"] else value


def run(step):
    if step["call"] == "verifyWebhook":
        hook = step["args"][0]
        return verify_webhook(hook["body"].encode(), hook["headers"], hook["secret"], now=hook.get("now"))
    resource, name = step["call"].split(".")
    method = getattr(getattr(tender, snake(resource)), snake(name))
    options = {snake(key): value for key, value in step.get("options", {}).items()}
    return rows(method(*step.get("args", []), options=options), step.get("read"))


def outcome(step):
    try:
        return {"result": run(step)}
    except TenderError as error:
        members = ("code", "status", "request_id", "retryable", "retry_after", "problem", "fields")
        return {"error": {"message": str(error), **{name: getattr(error, name) for name in members}}}
    except WebhookError as error:
        return {"error": {"problem": error.problem, "message": str(error)}}
    except (TypeError, ValueError):
        return {"error": {"refused": True}}


def plain(value):
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    raise TypeError(type(value))


for line in sys.stdin:
    waits.clear()
    done = outcome(json.loads(line, object_hook=exact))
    print(json.dumps({**done, "waits": waits}, default=plain), flush=True)
