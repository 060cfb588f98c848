"""A program that uses the client, for mypy: it is never run."""
from decimal import Decimal

from tender_pay import Tender, TenderError, WebhookError, verify_webhook

tender = Tender("https://pay.example", app_id="app_1", api_key="sk_sandbox_1")


def pay() -> Decimal:
    payment = tender.payments.create_hosted_page({
        "referenceId": "order-7",
        "amount": Decimal("25.50"),
        "currency": "EUR",
        "autoCapture": True,
        "showPayRecurringInCheckout": False,
        "returnUrl": "https://shop.example/orders/7",
        "customerOrder": {"customer": {"customerId": "ada"}},
    })
    for one in tender.payments.list({"state": "Authorized"}):
        print(one["referenceId"])
    try:
        tender.payments.cancel(payment["paymentId"], None, {"idempotency_key": "k"})
    except TenderError as error:
        print(error.code, error.fields)
    return payment["amount"]


def handle(body: bytes, secret: str) -> int:
    try:
        event = verify_webhook(body, {}, [secret])
    except WebhookError:
        return 400
    return 204 if event["type"] == "webhook.test" else 200
