# Generated from the OpenAPI document by `npm run docs`. Do not edit.
# mypy: disable-error-code=no-any-return
from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional, Union

from .._send import CallOptions, File, Id, ResultList, Sender
from . import types as t


class Service:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def live(self, options: Optional[CallOptions] = None) -> t.Health:
        """Is the process up."""
        return self._send.call("GET", "/health/live", [], options=options)

    def ready(self, options: Optional[CallOptions] = None) -> t.Health:
        """Can it take requests? Not while the database is away or the service stops."""
        return self._send.call("GET", "/health/ready", [], options=options)

    def openapi(self, options: Optional[CallOptions] = None) -> Dict[str, Any]:
        """This description."""
        return self._send.call("GET", "/openapi.json", [], options=options)

    def providers(self, options: Optional[CallOptions] = None) -> List[t.PaymentProvider]:
        """The providers of this installation."""
        return self._send.call("GET", "/api/apps/providers", [], options=options)

    def settings(self, options: Optional[CallOptions] = None) -> t.PublicSettings:
        """What a console shows before the sign-in."""
        return self._send.call("GET", "/api/settings", [], options=options)


class Licenses:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def apps(self, license_id: Id, options: Optional[CallOptions] = None) -> List[t.LicensedApp]:
        """The apps of a licence, each with a working API key."""
        return self._send.call("GET", "/api/licenses/{licenseId}", [license_id], options=options)

    def create(self, body: t.LicenseInput, options: Optional[CallOptions] = None) -> t.License:
        """Create a licence: one merchant with a sandbox app and a live app."""
        return self._send.call("POST", "/api/licenses", [], body=body, options=options)

    def invite_owner(
        self,
        license_id: Id,
        body: t.OwnerInput,
        options: Optional[CallOptions] = None,
    ) -> t.OwnerInvitation:
        """Invite an owner to a licence that has none."""
        return self._send.call(
            "POST",
            "/api/licenses/{licenseId}/owner-invitation",
            [license_id],
            body=body,
            options=options,
        )

    def enter(
        self,
        license_id: Id,
        body: t.VisitInput,
        options: Optional[CallOptions] = None,
    ) -> t.LicenseVisit:
        """Enter a licence: an operator reads it for an hour."""
        return self._send.call(
            "POST",
            "/api/licenses/{licenseId}/visits",
            [license_id],
            body=body,
            options=options,
        )


class App:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def get(self, options: Optional[CallOptions] = None) -> t.App:
        """Read the app."""
        return self._send.call("GET", "/api/apps/{appId}", [], options=options)

    def update(self, body: Optional[t.AppPatch] = None, options: Optional[CallOptions] = None) -> t.App:
        """Change the settings of the app."""
        return self._send.call("PATCH", "/api/apps/{appId}", [], body=body, options=options)

    def update_checkout_page(
        self,
        body: Optional[t.CheckoutPagePatch] = None,
        options: Optional[CallOptions] = None,
    ) -> t.App:
        """Change the host name and the texts of the checkout."""
        return self._send.call("PATCH", "/api/apps/{appId}/checkout-page", [], body=body, options=options)

    def check_checkout_domain(self, options: Optional[CallOptions] = None) -> t.CheckedHost:
        """Look for the proof of the host name now."""
        return self._send.call("POST", "/api/apps/{appId}/checkout-domain/check", [], options=options)

    def remove_checkout_domain(self, options: Optional[CallOptions] = None) -> t.App:
        """Remove the host name of the checkout."""
        return self._send.call("DELETE", "/api/apps/{appId}/checkout-domain", [], options=options)

    def console_link(self, options: Optional[CallOptions] = None) -> str:
        """The address of the app in the console."""
        return self._send.call("GET", "/api/apps/{appId}/panel-link", [], options=options)

    def clear_all(self, options: Optional[CallOptions] = None) -> t.ClearedApp:
        """Empty a sandbox app."""
        return self._send.call("POST", "/api/apps/{appId}/clear-all", [], options=options)

    def going_live(self, options: Optional[CallOptions] = None) -> t.GoingLive:
        """What the app has and lacks for real customers."""
        return self._send.call("GET", "/api/apps/{appId}/going-live", [], options=options)


class ApiKeys:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.ApiKeysListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.ApiKey]:
        """List the API keys of the app, without the keys themselves."""
        return self._send.list("/api/apps/{appId}/api-keys", [], query=query, options=options)

    def create(
        self,
        body: Optional[t.ApiKeyInput] = None,
        options: Optional[CallOptions] = None,
    ) -> t.NewApiKey:
        """Create an API key beside the existing ones."""
        return self._send.call("POST", "/api/apps/{appId}/api-keys", [], body=body, options=options)

    def rotate(
        self,
        key_id: Id,
        body: Optional[t.RotateApiKeyInput] = None,
        options: Optional[CallOptions] = None,
    ) -> t.NewApiKey:
        """Replace an API key; the old one works on for a while."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/api-keys/{keyId}/rotate",
            [key_id],
            body=body,
            options=options,
        )

    def revoke(self, key_id: Id, options: Optional[CallOptions] = None) -> t.ApiKey:
        """Revoke an API key."""
        return self._send.call("DELETE", "/api/apps/{appId}/api-keys/{keyId}", [key_id], options=options)


class PaymentProfiles:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.PaymentProfilesListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> List[t.PaymentProfile]:
        """List the provider profiles of the app."""
        return self._send.call("GET", "/api/apps/{appId}/payment-profiles", [], query=query, options=options)

    def create(self, body: t.PaymentProfileInput, options: Optional[CallOptions] = None) -> t.PaymentProfile:
        """Add a provider profile."""
        return self._send.call("POST", "/api/apps/{appId}/payment-profiles", [], body=body, options=options)

    def checkout_methods(self, options: Optional[CallOptions] = None) -> List[t.CheckoutMethodGroup]:
        """The ways to check out that the app offers, with the profiles that take them."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payment-profiles/payment-checkout-methods",
            [],
            options=options,
        )

    def get(self, payment_profile_id: Id, options: Optional[CallOptions] = None) -> t.PaymentProfile:
        """Read a provider profile."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}",
            [payment_profile_id],
            options=options,
        )

    def update(
        self,
        payment_profile_id: Id,
        body: Optional[t.PaymentProfilePatch] = None,
        options: Optional[CallOptions] = None,
    ) -> t.PaymentProfile:
        """Change a provider profile."""
        return self._send.call(
            "PATCH",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}",
            [payment_profile_id],
            body=body,
            options=options,
        )

    def remove(self, payment_profile_id: Id, options: Optional[CallOptions] = None) -> t.PaymentProfile:
        """Remove a provider profile that was never used."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}",
            [payment_profile_id],
            options=options,
        )

    def providers(self, options: Optional[CallOptions] = None) -> List[t.PaymentProviderSetup]:
        """The providers that the app can use, with what a new profile needs."""
        return self._send.call("GET", "/api/apps/{appId}/payment-providers", [], options=options)

    def calculate_fee(
        self,
        query: t.PaymentProfilesCalculateFeeQuery,
        options: Optional[CallOptions] = None,
    ) -> List[t.PaymentProfileFeePreview]:
        """What a payment would cost at each profile."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payment-profiles/calculate-fee",
            [],
            query=query,
            options=options,
        )

    def fees(self, payment_profile_id: Id, options: Optional[CallOptions] = None) -> t.PaymentProfileFee:
        """The fees of a provider profile."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}/fee",
            [payment_profile_id],
            options=options,
        )

    def methods(
        self,
        payment_profile_id: Id,
        options: Optional[CallOptions] = None,
    ) -> List[t.PaymentProfileMethod]:
        """The methods of a provider profile, and which of them the account has turned on."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}/methods",
            [payment_profile_id],
            options=options,
        )

    def masked_settings(self, payment_profile_id: Id, options: Optional[CallOptions] = None) -> str:
        """The settings of a provider profile, masked."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}/bank-credential",
            [payment_profile_id],
            options=options,
        )

    def check(self, payment_profile_id: Id, options: Optional[CallOptions] = None) -> t.PaymentProfileCheck:
        """Check the settings of a provider profile."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}/check",
            [payment_profile_id],
            options=options,
        )

    def connect(
        self,
        payment_profile_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.PaymentProfileConnection:
        """Register the notification address at the provider."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payment-profiles/{paymentProfileId}/connect",
            [payment_profile_id],
            options=options,
        )


class Team:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(self, options: Optional[CallOptions] = None) -> List[t.TeamUserRole]:
        """List members, invited people and API keys with their roles."""
        return self._send.call("GET", "/api/team/resources/{appId}/user-roles", [], options=options)

    def roles(self, options: Optional[CallOptions] = None) -> List[t.TeamRole]:
        """List the roles."""
        return self._send.call("GET", "/api/team/resources/{appId}/roles", [], options=options)

    def invite(self, role_id: Id, email: Id, options: Optional[CallOptions] = None) -> t.TeamUserRole:
        """Invite a person by e-mail address, or change the role of a member."""
        return self._send.call(
            "POST",
            "/api/team/resources/{appId}/roles/{roleId}/users/email:{email}",
            [role_id, email],
            options=options,
        )

    def change_role(self, role_id: Id, user_id: Id, options: Optional[CallOptions] = None) -> t.TeamUserRole:
        """Give a member another role."""
        return self._send.call(
            "POST",
            "/api/team/resources/{appId}/roles/{roleId}/users/{userId}",
            [role_id, user_id],
            options=options,
        )

    def remove(self, role_id: Id, user_id: Id, options: Optional[CallOptions] = None) -> t.RemovedUser:
        """Remove a member, leave the team, withdraw an invitation, or revoke an API key."""
        return self._send.call(
            "DELETE",
            "/api/team/resources/{appId}/roles/{roleId}/users/{userId}",
            [role_id, user_id],
            options=options,
        )

    def create_bot(self, role_id: Id, body: t.BotInput, options: Optional[CallOptions] = None) -> t.BotKey:
        """Create an API key as a bot."""
        return self._send.call(
            "POST",
            "/api/team/resources/{appId}/roles/{roleId}/bots",
            [role_id],
            body=body,
            options=options,
        )

    def create_bot_by_name(
        self,
        query: t.TeamCreateBotByNameQuery,
        options: Optional[CallOptions] = None,
    ) -> t.BotKey:
        """Create an API key as a bot, by its name."""
        return self._send.call("POST", "/api/team/resources/{appId}/bots", [], query=query, options=options)


class Customers:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def all_activity(
        self,
        query: Optional[t.CustomersAllActivityQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.CustomerActivity]:
        """What happened to customers beside payments, the newest first."""
        return self._send.list("/api/apps/{appId}/customers/activity-logs", [], query=query, options=options)

    def activity(
        self,
        customer_id: Id,
        query: Optional[t.CustomersActivityQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.CustomerActivity]:
        """What happened to a customer beside payments, the newest first."""
        return self._send.list(
            "/api/apps/{appId}/customers/{customerId}/activity-logs",
            [customer_id],
            query=query,
            options=options,
        )

    def create(self, body: t.CustomerInput, options: Optional[CallOptions] = None) -> t.Customer:
        """Create a customer."""
        return self._send.call("POST", "/api/apps/{appId}/customers", [], body=body, options=options)

    def list(
        self,
        query: Optional[t.CustomersListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.Customer]:
        """List the customers of the app, ordered by customerId."""
        return self._send.list("/api/apps/{appId}/customers", [], query=query, options=options)

    def get(self, customer_id: Id, options: Optional[CallOptions] = None) -> t.Customer:
        """Read a customer."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/customers/{customerId}",
            [customer_id],
            options=options,
        )

    def update(
        self,
        customer_id: Id,
        body: Optional[t.CustomerPatch] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Customer:
        """Change a customer."""
        return self._send.call(
            "PATCH",
            "/api/apps/{appId}/customers/{customerId}",
            [customer_id],
            body=body,
            options=options,
        )

    def payment_methods(
        self,
        customer_id: Id,
        query: Optional[t.CustomersPaymentMethodsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> List[t.StoredPaymentMethod]:
        """List the stored payment methods of a customer, newest first."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/customers/{customerId}/payment-methods",
            [customer_id],
            query=query,
            options=options,
        )

    def remove_payment_method(
        self,
        customer_id: Id,
        payment_method_id: Id,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Remove a stored payment method; its auto-payment registrations end too."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/customers/{customerId}/payment-methods/{paymentMethodId}",
            [customer_id, payment_method_id],
            options=options,
        )

    def stop_auto_payment(
        self,
        customer_id: Id,
        customer_automatic_profile_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.Customer:
        """Stop an auto-payment registration."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/customers/{customerId}/auto-payments/{customerAutomaticProfileId}",
            [customer_id, customer_automatic_profile_id],
            options=options,
        )

    def import_payment_method(
        self,
        customer_id: Id,
        body: t.MethodImport,
        options: Optional[CallOptions] = None,
    ) -> t.StoredPaymentMethod:
        """Import a stored payment method by the provider's token."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/customers/{customerId}/payment-methods/import",
            [customer_id],
            body=body,
            options=options,
        )

    def method_balance(
        self,
        customer_id: Id,
        payment_method_id: Id,
        options: Optional[CallOptions] = None,
    ) -> Optional[Union[int, Decimal]]:
        """The balance of a stored method."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/customers/{customerId}/payment-methods/{paymentMethodId}/balance",
            [customer_id, payment_method_id],
            options=options,
        )

    def provider_info(
        self,
        customer_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.CustomersProviderInfoResult:
        """What bank data services know of a customer."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/customers/{customerId}/provider-raw-info",
            [customer_id],
            options=options,
        )

    def panel_link(
        self,
        customer_id: Id,
        query: Optional[t.CustomersPanelLinkQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> str:
        """A signed link to the customer's own panel, valid for one hour."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/customers/{customerId}/panel-link",
            [customer_id],
            query=query,
            options=options,
        )

    def reset_fraud_counts(
        self,
        customer_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.CustomersResetFraudCountsResult:
        """Let the counts of fraud rules start anew for a customer."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/customers/{customerId}/reset-affected-check-policy-time",
            [customer_id],
            options=options,
        )

    def erase(self, customer_id: Id, options: Optional[CallOptions] = None) -> t.ErasedCustomer:
        """Erase the personal data of a customer."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/customers/{customerId}/erase",
            [customer_id],
            options=options,
        )

    def notes(self, customer_id: Id, options: Optional[CallOptions] = None) -> List[t.Note]:
        """List the notes of a customer, the newest first."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/customers/{customerId}/notes",
            [customer_id],
            options=options,
        )

    def add_note(self, customer_id: Id, body: t.NewNote, options: Optional[CallOptions] = None) -> t.Note:
        """Add a note to a customer."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/customers/{customerId}/notes",
            [customer_id],
            body=body,
            options=options,
        )

    def assignment(self, customer_id: Id, options: Optional[CallOptions] = None) -> t.Assignment:
        """Read which member of the team takes care of a customer."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/customers/{customerId}/assignment",
            [customer_id],
            options=options,
        )

    def assign(
        self,
        customer_id: Id,
        body: t.NewAssignment,
        options: Optional[CallOptions] = None,
    ) -> t.Assignment:
        """Give a customer to a member of the team."""
        return self._send.call(
            "PUT",
            "/api/apps/{appId}/customers/{customerId}/assignment",
            [customer_id],
            body=body,
            options=options,
        )


class Events:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.EventsListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.Event]:
        """List the events of the app, the newest first."""
        return self._send.list("/api/apps/{appId}/events", [], query=query, options=options)


class Webhooks:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.WebhooksListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.WebhookDelivery]:
        """List the webhooks of the app with their attempts, the newest first."""
        return self._send.list("/api/apps/{appId}/webhooks", [], query=query, options=options)

    def get(
        self,
        event_id: Id,
        query: Optional[t.WebhooksGetQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.WebhookDelivery:
        """Read a webhook with every attempt and what was answered."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/webhooks/{eventId}",
            [event_id],
            query=query,
            options=options,
        )

    def resend(
        self,
        event_id: Id,
        query: Optional[t.WebhooksResendQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.WebhookDelivery:
        """Send a webhook again, or now instead of later."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/webhooks/{eventId}/resend",
            [event_id],
            query=query,
            options=options,
        )

    def resend_failed(
        self,
        query: Optional[t.WebhooksResendFailedQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Resent:
        """Send all webhooks again that were given up."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/webhooks/resend-failed",
            [],
            query=query,
            options=options,
        )

    def send_test(self, options: Optional[CallOptions] = None) -> t.WebhookDelivery:
        """Send a test event to the webhook address of the app."""
        return self._send.call("POST", "/api/apps/{appId}/webhooks/test", [], options=options)

    def rotate_secret(self, options: Optional[CallOptions] = None) -> str:
        """Replace the secret that signs webhooks; both sign for a day."""
        return self._send.call("POST", "/api/apps/{appId}/webhook-signing-secret", [], options=options)

    def remove_secret(self, options: Optional[CallOptions] = None) -> None:
        """Send webhooks without a signature."""
        return self._send.call("DELETE", "/api/apps/{appId}/webhook-signing-secret", [], options=options)


class WebhookEndpoints:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(self, options: Optional[CallOptions] = None) -> List[t.WebhookEndpoint]:
        """List the webhook endpoints of the app."""
        return self._send.call("GET", "/api/apps/{appId}/webhook-endpoints", [], options=options)

    def create(
        self,
        body: t.WebhookEndpointInput,
        options: Optional[CallOptions] = None,
    ) -> t.NewWebhookEndpoint:
        """Add a webhook endpoint."""
        return self._send.call("POST", "/api/apps/{appId}/webhook-endpoints", [], body=body, options=options)

    def get(self, endpoint_id: Id, options: Optional[CallOptions] = None) -> t.WebhookEndpoint:
        """Read a webhook endpoint."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/webhook-endpoints/{endpointId}",
            [endpoint_id],
            options=options,
        )

    def update(
        self,
        endpoint_id: Id,
        body: Optional[t.WebhookEndpointPatch] = None,
        options: Optional[CallOptions] = None,
    ) -> t.WebhookEndpoint:
        """Change a webhook endpoint, or pause it."""
        return self._send.call(
            "PATCH",
            "/api/apps/{appId}/webhook-endpoints/{endpointId}",
            [endpoint_id],
            body=body,
            options=options,
        )

    def remove(self, endpoint_id: Id, options: Optional[CallOptions] = None) -> None:
        """Remove a webhook endpoint."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/webhook-endpoints/{endpointId}",
            [endpoint_id],
            options=options,
        )

    def send_test(self, endpoint_id: Id, options: Optional[CallOptions] = None) -> t.WebhookDelivery:
        """Send a test event to one webhook endpoint."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/webhook-endpoints/{endpointId}/test",
            [endpoint_id],
            options=options,
        )

    def rotate_secret(
        self,
        endpoint_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.WebhookEndpointSecret:
        """Replace the secret of a webhook endpoint; both sign for a day."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/webhook-endpoints/{endpointId}/secret",
            [endpoint_id],
            options=options,
        )


class FraudPolicies:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.FraudPoliciesListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.FraudPolicy]:
        """List the fraud policies of the app."""
        return self._send.list("/api/apps/{appId}/fraud-policies", [], query=query, options=options)

    def create(self, body: t.FraudPolicyInput, options: Optional[CallOptions] = None) -> t.FraudPolicy:
        """Create a fraud policy."""
        return self._send.call("POST", "/api/apps/{appId}/fraud-policies", [], body=body, options=options)

    def rule_metadata(self, options: Optional[CallOptions] = None) -> List[t.PaymentMethodPolicyRuleMetadata]:
        """How customers can add a method, by kind of method."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/fraud-policies/payment-method-policy-rule-metadata",
            [],
            options=options,
        )

    def get(self, fraud_policy_id: Id, options: Optional[CallOptions] = None) -> t.FraudPolicy:
        """Read a fraud policy."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/fraud-policies/{fraudPolicyId}",
            [fraud_policy_id],
            options=options,
        )

    def update(
        self,
        fraud_policy_id: Id,
        body: Optional[t.FraudPolicyPatch] = None,
        options: Optional[CallOptions] = None,
    ) -> t.FraudPolicy:
        """Change a fraud policy."""
        return self._send.call(
            "PATCH",
            "/api/apps/{appId}/fraud-policies/{fraudPolicyId}",
            [fraud_policy_id],
            body=body,
            options=options,
        )

    def remove(self, fraud_policy_id: Id, options: Optional[CallOptions] = None) -> None:
        """Delete a fraud policy; customers pinned to it fall back to the default."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/fraud-policies/{fraudPolicyId}",
            [fraud_policy_id],
            options=options,
        )

    def versions(
        self,
        fraud_policy_id: Id,
        query: Optional[t.FraudPoliciesVersionsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.FraudPolicyVersion]:
        """Every version of a fraud policy, newest first, with who changed it and when."""
        return self._send.list(
            "/api/apps/{appId}/fraud-policies/{fraudPolicyId}/versions",
            [fraud_policy_id],
            query=query,
            options=options,
        )

    def replace_rules(
        self,
        fraud_policy_id: Id,
        body: Optional[List[t.FraudPoliciesReplaceRulesInput]] = None,
        options: Optional[CallOptions] = None,
    ) -> t.FraudPolicy:
        """Replace the rules of a fraud policy."""
        return self._send.call(
            "PATCH",
            "/api/apps/{appId}/fraud-policies/{fraudPolicyId}/rules",
            [fraud_policy_id],
            body=body,
            options=options,
        )

    def simulate(
        self,
        fraud_policy_id: Id,
        body: t.FraudPoliciesSimulateInput,
        options: Optional[CallOptions] = None,
    ) -> t.FraudSimulation:
        """What a policy would have stopped."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/fraud-policies/{fraudPolicyId}/simulate",
            [fraud_policy_id],
            body=body,
            options=options,
        )

    def rejected_payments(
        self,
        query: Optional[t.FraudPoliciesRejectedPaymentsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.RejectedDashboard:
        """Payments of a period that a fraud policy rejected, by day and currency."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/fraud-policies/dashboard-rejected-payments",
            [],
            query=query,
            options=options,
        )


class BlockList:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.BlockListListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.BlockEntry]:
        """The block list of the app, newest entries first."""
        return self._send.list("/api/apps/{appId}/block-list", [], query=query, options=options)

    def add(self, body: t.BlockEntryInput, options: Optional[CallOptions] = None) -> t.BlockEntry:
        """Take no more payments from a card, an e-mail address, an IP address, a customer or a country."""
        return self._send.call("POST", "/api/apps/{appId}/block-list", [], body=body, options=options)

    def remove(self, entry_id: Id, options: Optional[CallOptions] = None) -> None:
        """Remove an entry of the block list."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/block-list/{entryId}",
            [entry_id],
            options=options,
        )


class Routing:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def get(self, options: Optional[CallOptions] = None) -> t.Routing:
        """Which provider profile takes which payment, and how well the profiles work."""
        return self._send.call("GET", "/api/apps/{appId}/routing", [], options=options)

    def replace(
        self,
        body: Optional[t.RoutingInput] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Routing:
        """Replace the routing of the app."""
        return self._send.call("PUT", "/api/apps/{appId}/routing", [], body=body, options=options)

    def explain(
        self,
        body: t.RoutingExplainInput,
        options: Optional[CallOptions] = None,
    ) -> t.RoutingExplanation:
        """Why a payment would go where it goes."""
        return self._send.call("POST", "/api/apps/{appId}/routing/explain", [], body=body, options=options)


class RefundApprovals:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.RefundApprovalsListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> List[t.RefundApproval]:
        """List refunds that need a second person, the newest first."""
        return self._send.call("GET", "/api/apps/{appId}/refund-approvals", [], query=query, options=options)


class Payments:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def create_hosted_page(
        self,
        body: t.PaymentsCreateHostedPageInput,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Create a payment on the hosted checkout."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/hosted-page",
            [],
            body=body,
            options=options,
        )

    def create(self, body: t.PaymentsCreateInput, options: Optional[CallOptions] = None) -> t.Payment:
        """Create a payment."""
        return self._send.call("POST", "/api/apps/{appId}/payments", [], body=body, options=options)

    def list(
        self,
        query: Optional[t.PaymentsListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.Payment]:
        """List the payments of the app, the newest first."""
        return self._send.list("/api/apps/{appId}/payments", [], query=query, options=options)

    def create_provider_hosted_page(
        self,
        body: t.PaymentsCreateProviderHostedPageInput,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Create a payment on a provider's own page."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/provider-hosted-page",
            [],
            body=body,
            options=options,
        )

    def create_auto_payment(
        self,
        body: t.PaymentsCreateAutoPaymentInput,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Charge a stored method."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/auto-payment",
            [],
            body=body,
            options=options,
        )

    def get(self, payment_id: Id, options: Optional[CallOptions] = None) -> t.Payment:
        """Read a payment by its id."""
        return self._send.call("GET", "/api/apps/{appId}/payments/{paymentId}", [payment_id], options=options)

    def get_by_reference(self, reference_id: Id, options: Optional[CallOptions] = None) -> t.Payment:
        """Read a payment by its reference."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/referenceId:{referenceId}",
            [reference_id],
            options=options,
        )

    def link(self, payment_id: Id, options: Optional[CallOptions] = None) -> t.PaymentsLinkResult:
        """The link on which a payment can be paid."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/payment-link",
            [payment_id],
            options=options,
        )

    def capture(
        self,
        payment_id: Id,
        query: Optional[t.PaymentsCaptureQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Capture an authorised payment."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/capture",
            [payment_id],
            query=query,
            options=options,
        )

    def cancel(
        self,
        payment_id: Id,
        query: Optional[t.PaymentsCancelQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Cancel an uncaptured or held payment."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/cancel",
            [payment_id],
            query=query,
            options=options,
        )

    def refund(
        self,
        payment_id: Id,
        query: Optional[t.PaymentsRefundQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Refund a captured payment."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/refund",
            [payment_id],
            query=query,
            options=options,
        )

    def unhold(self, payment_id: Id, options: Optional[CallOptions] = None) -> t.Payment:
        """Release a payment held by a fraud rule."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/unhold",
            [payment_id],
            options=options,
        )

    def recheck(self, payment_id: Id, options: Optional[CallOptions] = None) -> t.Payment:
        """Ask the provider for the true state."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/recheck",
            [payment_id],
            options=options,
        )

    def mark_as_refund(
        self,
        payment_id: Id,
        body: Optional[t.PaymentsMarkAsRefundInput] = None,
        query: Optional[t.PaymentsMarkAsRefundQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Record a refund made elsewhere."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/mark-as-refund",
            [payment_id],
            body=body,
            query=query,
            options=options,
        )

    def mark_as_dispute(
        self,
        payment_id: Id,
        body: Optional[t.PaymentsMarkAsDisputeInput] = None,
        query: Optional[t.PaymentsMarkAsDisputeQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Record a dispute."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/mark-as-dispute",
            [payment_id],
            body=body,
            query=query,
            options=options,
        )

    def state_logs(self, payment_id: Id, options: Optional[CallOptions] = None) -> List[t.PaymentStateLog]:
        """List the states that a payment entered."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/state-logs",
            [payment_id],
            options=options,
        )

    def last_webhook(
        self,
        payment_id: Id,
        options: Optional[CallOptions] = None,
    ) -> Optional[t.WebhookDelivery]:
        """Read the newest webhook of a payment with its attempts."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/last-webhook-item",
            [payment_id],
            options=options,
        )

    def provider_log(
        self,
        payment_id: Id,
        options: Optional[CallOptions] = None,
    ) -> List[t.PaymentProviderLogData]:
        """List the requests to providers about a payment."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/provider-log",
            [payment_id],
            options=options,
        )

    def provider_info(
        self,
        payment_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.PaymentProviderFullInfo:
        """What the provider last told about a payment."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/provider-raw-info",
            [payment_id],
            options=options,
        )

    def provider_link(
        self,
        payment_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.PaymentProviderPaymentLinkInfo:
        """Where a payment is in the dashboard of its provider."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/provider-link-info",
            [payment_id],
            options=options,
        )

    def attempts(self, payment_id: Id, options: Optional[CallOptions] = None) -> List[t.PaymentAttempt]:
        """List the attempts to pay a payment."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/attempts",
            [payment_id],
            options=options,
        )

    def fraud(self, payment_id: Id, options: Optional[CallOptions] = None) -> t.FraudVerdicts:
        """Why a payment was accepted, held or rejected."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/fraud",
            [payment_id],
            options=options,
        )

    def summary(
        self,
        query: Optional[t.PaymentsSummaryQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> List[t.PaymentSummary]:
        """List the payments of the app in pages with numbers."""
        return self._send.call("GET", "/api/apps/{appId}/payments/summary", [], query=query, options=options)

    def overview(
        self,
        query: Optional[t.PaymentsOverviewQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.PaymentOverview:
        """Figures of a period, compared with the period before."""
        return self._send.call("GET", "/api/apps/{appId}/payments/overview", [], query=query, options=options)

    def dashboard(
        self,
        query: Optional[t.PaymentsDashboardQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.PaymentDashboard:
        """Payments of a period by provider, currency, state and day."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/dashboard-payments",
            [],
            query=query,
            options=options,
        )

    def notes(self, payment_id: Id, options: Optional[CallOptions] = None) -> List[t.Note]:
        """List the notes of a payment, the newest first."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/notes",
            [payment_id],
            options=options,
        )

    def add_note(self, payment_id: Id, body: t.NewNote, options: Optional[CallOptions] = None) -> t.Note:
        """Add a note to a payment."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/payments/{paymentId}/notes",
            [payment_id],
            body=body,
            options=options,
        )

    def assignment(self, payment_id: Id, options: Optional[CallOptions] = None) -> t.Assignment:
        """Read which member of the team takes care of a payment."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payments/{paymentId}/assignment",
            [payment_id],
            options=options,
        )

    def assign(
        self,
        payment_id: Id,
        body: t.NewAssignment,
        options: Optional[CallOptions] = None,
    ) -> t.Assignment:
        """Give a payment to a member of the team."""
        return self._send.call(
            "PUT",
            "/api/apps/{appId}/payments/{paymentId}/assignment",
            [payment_id],
            body=body,
            options=options,
        )


class Ledger:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def balances(
        self,
        query: Optional[t.LedgerBalancesQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.LedgerBalances:
        """The balance of each account of the ledger at the end of a day."""
        return self._send.call("GET", "/api/apps/{appId}/ledger/balances", [], query=query, options=options)

    def fees(
        self,
        query: Optional[t.LedgerFeesQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.LedgerFees:
        """What settlements cost, by provider profile, method, country or month."""
        return self._send.call("GET", "/api/apps/{appId}/ledger/fees", [], query=query, options=options)

    def journal(
        self,
        query: Optional[t.LedgerJournalQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Export the journal for a spreadsheet, hledger or beancount."""
        return self._send.file("/api/apps/{appId}/ledger/journal", [], query=query, options=options)

    def settlements(
        self,
        query: Optional[t.LedgerSettlementsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> File:
        """Export the settlement lines of all providers as one CSV."""
        return self._send.file("/api/apps/{appId}/ledger/settlements", [], query=query, options=options)

    def months(self, options: Optional[CallOptions] = None) -> List[t.LedgerMonth]:
        """The months that are closed."""
        return self._send.call("GET", "/api/apps/{appId}/ledger/months", [], options=options)

    def close_month(self, month: Id, options: Optional[CallOptions] = None) -> t.LedgerMonth:
        """Close a month of the ledger for good."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/ledger/months/{month}/close",
            [month],
            options=options,
        )


class Settlements:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def lines(
        self,
        query: Optional[t.SettlementsLinesQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.SettlementLine]:
        """List what providers report about settled money, the newest first."""
        return self._send.list("/api/apps/{appId}/settlement-lines", [], query=query, options=options)

    def payouts(
        self,
        query: Optional[t.SettlementsPayoutsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.Payout]:
        """List the payouts of providers, the newest first."""
        return self._send.list("/api/apps/{appId}/payouts", [], query=query, options=options)

    def payout(self, payout_id: Id, options: Optional[CallOptions] = None) -> t.PayoutDetails:
        """Read a payout with its lines by kind, and whether they add up."""
        return self._send.call("GET", "/api/apps/{appId}/payouts/{payoutId}", [payout_id], options=options)

    def exceptions(
        self,
        query: Optional[t.SettlementsExceptionsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.SettlementException]:
        """List what does not agree, open exceptions first, the newest first."""
        return self._send.list("/api/apps/{appId}/settlement-exceptions", [], query=query, options=options)

    def close_exception(
        self,
        id: Id,
        body: t.SettlementsCloseExceptionInput,
        options: Optional[CallOptions] = None,
    ) -> t.SettlementException:
        """Close an exception with a reason."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/settlement-exceptions/{id}/close",
            [id],
            body=body,
            options=options,
        )

    def accept_suggestion(self, id: Id, options: Optional[CallOptions] = None) -> t.SettlementException:
        """Accept the payment that is suggested for the line of an exception."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/settlement-exceptions/{id}/accept",
            [id],
            options=options,
        )

    def import_report(
        self,
        body: bytes,
        query: t.SettlementsImportReportQuery,
        options: Optional[CallOptions] = None,
    ) -> t.SettlementReport:
        """Import a settlement report."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/settlement-reports",
            [],
            body=body,
            query=query,
            options=options,
        )

    def reports(
        self,
        query: Optional[t.SettlementsReportsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.ListedSettlementReport]:
        """List files and pages that were read, the newest first."""
        return self._send.list("/api/apps/{appId}/settlement-reports", [], query=query, options=options)

    def report(self, report_id: Id, options: Optional[CallOptions] = None) -> t.SettlementReportDetails:
        """Read a report with the rows that could not be read."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/settlement-reports/{reportId}",
            [report_id],
            options=options,
        )

    def source(self, payment_profile_id: Id, options: Optional[CallOptions] = None) -> t.SettlementSource:
        """Read how the settlements of a profile arrive."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/settlement-sources/{paymentProfileId}",
            [payment_profile_id],
            options=options,
        )

    def set_source(
        self,
        payment_profile_id: Id,
        body: t.SettlementsSetSourceInput,
        options: Optional[CallOptions] = None,
    ) -> t.SettlementSource:
        """Turn reading of the provider's settlements on or off."""
        return self._send.call(
            "PUT",
            "/api/apps/{appId}/settlement-sources/{paymentProfileId}",
            [payment_profile_id],
            body=body,
            options=options,
        )

    def read_source(
        self,
        payment_profile_id: Id,
        options: Optional[CallOptions] = None,
    ) -> t.SettlementSource:
        """Read the provider's settlements now."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/settlement-sources/{paymentProfileId}/read",
            [payment_profile_id],
            options=options,
        )


class Disputes:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.DisputesListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.Dispute]:
        """List disputes: open ones by deadline, then decided ones, the newest first."""
        return self._send.list("/api/apps/{appId}/disputes", [], query=query, options=options)

    def get(self, dispute_id: Id, options: Optional[CallOptions] = None) -> t.DisputeDetails:
        """Read a dispute with its evidence and the limits of its provider."""
        return self._send.call("GET", "/api/apps/{appId}/disputes/{disputeId}", [dispute_id], options=options)

    def save_evidence(
        self,
        dispute_id: Id,
        body: t.DisputesSaveEvidenceInput,
        options: Optional[CallOptions] = None,
    ) -> t.DisputeDetails:
        """Save the texts of the evidence as a draft."""
        return self._send.call(
            "PUT",
            "/api/apps/{appId}/disputes/{disputeId}/evidence",
            [dispute_id],
            body=body,
            options=options,
        )

    def remove_file(
        self,
        dispute_id: Id,
        kind: Id,
        options: Optional[CallOptions] = None,
    ) -> t.DisputeDetails:
        """Remove a file from the draft."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/disputes/{disputeId}/files/{kind}",
            [dispute_id, kind],
            options=options,
        )

    def submit(self, dispute_id: Id, options: Optional[CallOptions] = None) -> t.DisputeDetails:
        """Submit the evidence to the provider."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/disputes/{disputeId}/submit",
            [dispute_id],
            options=options,
        )

    def accept(self, dispute_id: Id, options: Optional[CallOptions] = None) -> t.DisputeDetails:
        """Accept a dispute: the payer keeps the money."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/disputes/{disputeId}/accept",
            [dispute_id],
            options=options,
        )


class PaymentLinks:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def create(self, body: t.PaymentLinksCreateInput, options: Optional[CallOptions] = None) -> t.PaymentLink:
        """Create a payment link for one payer or for many."""
        return self._send.call("POST", "/api/apps/{appId}/payment-links", [], body=body, options=options)

    def list(
        self,
        query: Optional[t.PaymentLinksListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.PaymentLink]:
        """List payment links, the newest first."""
        return self._send.list("/api/apps/{appId}/payment-links", [], query=query, options=options)

    def get(self, payment_link_id: Id, options: Optional[CallOptions] = None) -> t.PaymentLink:
        """Read a payment link with what was paid through it."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/payment-links/{paymentLinkId}",
            [payment_link_id],
            options=options,
        )

    def withdraw(self, payment_link_id: Id, options: Optional[CallOptions] = None) -> t.PaymentLink:
        """Withdraw a payment link."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/payment-links/{paymentLinkId}",
            [payment_link_id],
            options=options,
        )

    def payments(
        self,
        payment_link_id: Id,
        query: Optional[t.PaymentLinksPaymentsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.Payment]:
        """List the payments of a payment link, the newest first."""
        return self._send.list(
            "/api/apps/{appId}/payment-links/{paymentLinkId}/payments",
            [payment_link_id],
            query=query,
            options=options,
        )


class Exports:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def create(self, body: t.ExportsCreateInput, options: Optional[CallOptions] = None) -> t.Export:
        """Make a file of payments, refunds, disputes, customers, links, events or everything."""
        return self._send.call("POST", "/api/apps/{appId}/exports", [], body=body, options=options)

    def list(self, options: Optional[CallOptions] = None) -> List[t.Export]:
        """List the exports of the last seven days, the newest first."""
        return self._send.call("GET", "/api/apps/{appId}/exports", [], options=options)

    def get(self, export_id: Id, options: Optional[CallOptions] = None) -> t.Export:
        """Read an export and its progress."""
        return self._send.call("GET", "/api/apps/{appId}/exports/{exportId}", [export_id], options=options)

    def remove(self, export_id: Id, options: Optional[CallOptions] = None) -> None:
        """Remove an export and its file."""
        return self._send.call("DELETE", "/api/apps/{appId}/exports/{exportId}", [export_id], options=options)

    def file(self, export_id: Id, options: Optional[CallOptions] = None) -> File:
        """Read the file of an export that is done."""
        return self._send.file("/api/apps/{appId}/exports/{exportId}/file", [export_id], options=options)

    def cancel(self, export_id: Id, options: Optional[CallOptions] = None) -> t.Export:
        """Cancel an export that is not done."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/exports/{exportId}/cancel",
            [export_id],
            options=options,
        )


class ExportSchedules:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def create(
        self,
        body: t.ExportSchedulesCreateInput,
        options: Optional[CallOptions] = None,
    ) -> t.ExportSchedule:
        """Export each day, week or month when it has ended."""
        return self._send.call("POST", "/api/apps/{appId}/export-schedules", [], body=body, options=options)

    def list(self, options: Optional[CallOptions] = None) -> List[t.ExportSchedule]:
        """List the schedules of exports."""
        return self._send.call("GET", "/api/apps/{appId}/export-schedules", [], options=options)

    def update(
        self,
        schedule_id: Id,
        body: Optional[t.ExportSchedulesUpdateInput] = None,
        options: Optional[CallOptions] = None,
    ) -> t.ExportSchedule:
        """Pause or resume a schedule, or change who gets an e-mail."""
        return self._send.call(
            "PATCH",
            "/api/apps/{appId}/export-schedules/{scheduleId}",
            [schedule_id],
            body=body,
            options=options,
        )

    def remove(self, schedule_id: Id, options: Optional[CallOptions] = None) -> None:
        """Remove a schedule; its exports stay."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/export-schedules/{scheduleId}",
            [schedule_id],
            options=options,
        )


class Imports:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def create(
        self,
        body: bytes,
        query: Optional[t.ImportsCreateQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Import:
        """Import customers, stored payment methods and past payments."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/imports",
            [],
            body=body,
            query=query,
            options=options,
        )

    def list(self, options: Optional[CallOptions] = None) -> List[t.Import]:
        """List the imports of the last thirty days, the newest first."""
        return self._send.call("GET", "/api/apps/{appId}/imports", [], options=options)

    def get(self, import_id: Id, options: Optional[CallOptions] = None) -> t.Import:
        """Read an import and its progress."""
        return self._send.call("GET", "/api/apps/{appId}/imports/{importId}", [import_id], options=options)

    def problems(
        self,
        import_id: Id,
        query: Optional[t.ImportsProblemsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> List[t.ImportProblem]:
        """List the wrong lines of an import in their order, up to 1,000 after a line."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/imports/{importId}/problems",
            [import_id],
            query=query,
            options=options,
        )

    def cancel(self, import_id: Id, options: Optional[CallOptions] = None) -> t.Import:
        """Cancel an import that is not done; what is imported stays."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/imports/{importId}/cancel",
            [import_id],
            options=options,
        )


class ApiLog:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def list(
        self,
        query: Optional[t.ApiLogListQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> ResultList[t.ApiCall]:
        """List the requests of the app, the newest first."""
        return self._send.list("/api/apps/{appId}/api-log", [], query=query, options=options)

    def counts(
        self,
        query: Optional[t.ApiLogCountsQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> t.ApiCounts:
        """Count the requests of the app by time and class of status."""
        return self._send.call("GET", "/api/apps/{appId}/api-log-counts", [], query=query, options=options)

    def get(self, request_id: Id, options: Optional[CallOptions] = None) -> t.ApiCallDetails:
        """Read a request with its masked bodies."""
        return self._send.call("GET", "/api/apps/{appId}/api-log/{requestId}", [request_id], options=options)


class TestHelpers:
    def __init__(self, send: Sender) -> None:
        self._send = send

    def pay(
        self,
        payment_id: Id,
        body: Optional[t.TestHelpersPayInput] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Pay as a customer would."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/test-helpers/payments/{paymentId}/pay",
            [payment_id],
            body=body,
            options=options,
        )

    def dispute(
        self,
        payment_id: Id,
        body: Optional[t.TestHelpersDisputeInput] = None,
        options: Optional[CallOptions] = None,
    ) -> t.Payment:
        """Let the payer's bank dispute a payment."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/test-helpers/payments/{paymentId}/dispute",
            [payment_id],
            body=body,
            options=options,
        )

    def set_fault(
        self,
        body: t.TestHelpersSetFaultInput,
        options: Optional[CallOptions] = None,
    ) -> t.TestHelpersSetFaultResult:
        """Let the built-in bank misbehave."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/test-helpers/faults",
            [],
            body=body,
            options=options,
        )

    def clear_faults(self, options: Optional[CallOptions] = None) -> t.TestHelpersClearFaultsResult:
        """Clear all faults."""
        return self._send.call("DELETE", "/api/apps/{appId}/test-helpers/faults", [], options=options)

    def ledger(
        self,
        query: Optional[t.TestHelpersLedgerQuery] = None,
        options: Optional[CallOptions] = None,
    ) -> List[t.TestHelpersLedgerResult]:
        """What the built-in bank really did."""
        return self._send.call(
            "GET",
            "/api/apps/{appId}/test-helpers/ledger",
            [],
            query=query,
            options=options,
        )

    def pay_out(self, options: Optional[CallOptions] = None) -> t.TestHelpersPayOutResult:
        """Pay out what is due at the app's time."""
        return self._send.call("POST", "/api/apps/{appId}/test-helpers/payouts", [], options=options)

    def set_settlement_fault(
        self,
        body: t.TestHelpersSetSettlementFaultInput,
        options: Optional[CallOptions] = None,
    ) -> t.TestHelpersSetSettlementFaultResult:
        """Let the next settlement report be wrong."""
        return self._send.call(
            "POST",
            "/api/apps/{appId}/test-helpers/settlement-faults",
            [],
            body=body,
            options=options,
        )

    def clear_settlement_faults(
        self,
        options: Optional[CallOptions] = None,
    ) -> t.TestHelpersClearSettlementFaultsResult:
        """Clear all faults of settlement reports."""
        return self._send.call(
            "DELETE",
            "/api/apps/{appId}/test-helpers/settlement-faults",
            [],
            options=options,
        )

    def advance_clock(
        self,
        body: t.TestHelpersAdvanceClockInput,
        options: Optional[CallOptions] = None,
    ) -> t.TestHelpersAdvanceClockResult:
        """Move the app's time ahead."""
        return self._send.call("POST", "/api/apps/{appId}/test-helpers/clock", [], body=body, options=options)


class Resources:
    """Every operation of the API, by resource."""

    def __init__(self, send: Sender) -> None:
        self.service = Service(send)
        self.licenses = Licenses(send)
        self.app = App(send)
        self.api_keys = ApiKeys(send)
        self.payment_profiles = PaymentProfiles(send)
        self.team = Team(send)
        self.customers = Customers(send)
        self.events = Events(send)
        self.webhooks = Webhooks(send)
        self.webhook_endpoints = WebhookEndpoints(send)
        self.fraud_policies = FraudPolicies(send)
        self.block_list = BlockList(send)
        self.routing = Routing(send)
        self.refund_approvals = RefundApprovals(send)
        self.payments = Payments(send)
        self.ledger = Ledger(send)
        self.settlements = Settlements(send)
        self.disputes = Disputes(send)
        self.payment_links = PaymentLinks(send)
        self.exports = Exports(send)
        self.export_schedules = ExportSchedules(send)
        self.imports = Imports(send)
        self.api_log = ApiLog(send)
        self.test_helpers = TestHelpers(send)
