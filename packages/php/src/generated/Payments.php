<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type PaymentsCreateHostedPageInput from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type PaymentsCreateInput from Types
 * @phpstan-import-type PaymentsListQuery from Types
 * @phpstan-import-type PaymentsCreateProviderHostedPageInput from Types
 * @phpstan-import-type PaymentsCreateAutoPaymentInput from Types
 * @phpstan-import-type PaymentsLinkResult from Types
 * @phpstan-import-type PaymentsCaptureQuery from Types
 * @phpstan-import-type PaymentsCancelQuery from Types
 * @phpstan-import-type PaymentsRefundQuery from Types
 * @phpstan-import-type PaymentsMarkAsRefundInput from Types
 * @phpstan-import-type PaymentsMarkAsRefundQuery from Types
 * @phpstan-import-type PaymentsMarkAsDisputeInput from Types
 * @phpstan-import-type PaymentsMarkAsDisputeQuery from Types
 * @phpstan-import-type PaymentStateLog from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type PaymentProviderLogData from Types
 * @phpstan-import-type PaymentProviderFullInfo from Types
 * @phpstan-import-type PaymentProviderPaymentLinkInfo from Types
 * @phpstan-import-type PaymentAttempt from Types
 * @phpstan-import-type FraudVerdicts from Types
 * @phpstan-import-type PaymentsSummaryQuery from Types
 * @phpstan-import-type PaymentSummary from Types
 * @phpstan-import-type PaymentsOverviewQuery from Types
 * @phpstan-import-type PaymentOverview from Types
 * @phpstan-import-type PaymentsDashboardQuery from Types
 * @phpstan-import-type PaymentDashboard from Types
 * @phpstan-import-type Note from Types
 * @phpstan-import-type NewNote from Types
 * @phpstan-import-type Assignment from Types
 * @phpstan-import-type NewAssignment from Types
 */
final class Payments
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Create a payment on the hosted checkout.
     *
     * @param PaymentsCreateHostedPageInput $body
     * @return Payment
     */
    public function createHostedPage(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/hosted-page',
            body: $body,
            options: $options,
        );
    }

    /**
     * Create a payment.
     *
     * @param PaymentsCreateInput $body
     * @return Payment
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/payments', body: $body, options: $options);
    }

    /**
     * List the payments of the app, the newest first.
     *
     * @param ?PaymentsListQuery $query
     * @return ResultList<Payment>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/payments', query: $query, options: $options);
    }

    /**
     * Create a payment on a provider's own page.
     *
     * @param PaymentsCreateProviderHostedPageInput $body
     * @return Payment
     */
    public function createProviderHostedPage(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/provider-hosted-page',
            body: $body,
            options: $options,
        );
    }

    /**
     * Charge a stored method.
     *
     * @param PaymentsCreateAutoPaymentInput $body
     * @return Payment
     */
    public function createAutoPayment(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/auto-payment',
            body: $body,
            options: $options,
        );
    }

    /**
     * Read a payment by its id.
     *
     * @return Payment
     */
    public function get(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Read a payment by its reference.
     *
     * @return Payment
     */
    public function getByReference(string|int $referenceId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/referenceId:{referenceId}',
            [$referenceId],
            options: $options,
        );
    }

    /**
     * The link on which a payment can be paid.
     *
     * @return PaymentsLinkResult
     */
    public function link(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/payment-link',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Capture an authorised payment.
     *
     * @param ?PaymentsCaptureQuery $query
     * @return Payment
     */
    public function capture(string|int $paymentId, ?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/capture',
            [$paymentId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Cancel an uncaptured or held payment.
     *
     * @param ?PaymentsCancelQuery $query
     * @return Payment
     */
    public function cancel(string|int $paymentId, ?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/cancel',
            [$paymentId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Refund a captured payment.
     *
     * @param ?PaymentsRefundQuery $query
     * @return Payment
     */
    public function refund(string|int $paymentId, ?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/refund',
            [$paymentId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Release a payment held by a fraud rule.
     *
     * @return Payment
     */
    public function unhold(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/unhold',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Ask the provider for the true state.
     *
     * @return Payment
     */
    public function recheck(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/recheck',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Record a refund made elsewhere.
     *
     * @param ?PaymentsMarkAsRefundInput $body
     * @param ?PaymentsMarkAsRefundQuery $query
     * @return Payment
     */
    public function markAsRefund(
        string|int $paymentId,
        ?array $body = null,
        ?array $query = null,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/mark-as-refund',
            [$paymentId],
            body: $body,
            query: $query,
            options: $options,
        );
    }

    /**
     * Record a dispute.
     *
     * @param ?PaymentsMarkAsDisputeInput $body
     * @param ?PaymentsMarkAsDisputeQuery $query
     * @return Payment
     */
    public function markAsDispute(
        string|int $paymentId,
        ?array $body = null,
        ?array $query = null,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/mark-as-dispute',
            [$paymentId],
            body: $body,
            query: $query,
            options: $options,
        );
    }

    /**
     * List the states that a payment entered.
     *
     * @return list<PaymentStateLog>
     */
    public function stateLogs(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/state-logs',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Read the newest webhook of a payment with its attempts.
     *
     * @return WebhookDelivery|null
     */
    public function lastWebhook(string|int $paymentId, ?CallOptions $options = null): ?array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/last-webhook-item',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * List the requests to providers about a payment.
     *
     * @return list<PaymentProviderLogData>
     */
    public function providerLog(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/provider-log',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * What the provider last told about a payment.
     *
     * @return PaymentProviderFullInfo
     */
    public function providerInfo(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/provider-raw-info',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Where a payment is in the dashboard of its provider.
     *
     * @return PaymentProviderPaymentLinkInfo
     */
    public function providerLink(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/provider-link-info',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * List the attempts to pay a payment.
     *
     * @return list<PaymentAttempt>
     */
    public function attempts(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/attempts',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Why a payment was accepted, held or rejected.
     *
     * @return FraudVerdicts
     */
    public function fraud(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/fraud',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * List the payments of the app in pages with numbers.
     *
     * @param ?PaymentsSummaryQuery $query
     * @return list<PaymentSummary>
     */
    public function summary(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/summary',
            query: $query,
            options: $options,
        );
    }

    /**
     * Figures of a period, compared with the period before.
     *
     * @param ?PaymentsOverviewQuery $query
     * @return PaymentOverview
     */
    public function overview(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/overview',
            query: $query,
            options: $options,
        );
    }

    /**
     * Payments of a period by provider, currency, state and day.
     *
     * @param ?PaymentsDashboardQuery $query
     * @return PaymentDashboard
     */
    public function dashboard(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/dashboard-payments',
            query: $query,
            options: $options,
        );
    }

    /**
     * List the notes of a payment, the newest first.
     *
     * @return list<Note>
     */
    public function notes(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/notes',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Add a note to a payment.
     *
     * @param NewNote $body
     * @return Note
     */
    public function addNote(string|int $paymentId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payments/{paymentId}/notes',
            [$paymentId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Read which member of the team takes care of a payment.
     *
     * @return Assignment
     */
    public function assignment(string|int $paymentId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payments/{paymentId}/assignment',
            [$paymentId],
            options: $options,
        );
    }

    /**
     * Give a payment to a member of the team.
     *
     * @param NewAssignment $body
     * @return Assignment
     */
    public function assign(string|int $paymentId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'PUT',
            '/api/apps/{appId}/payments/{paymentId}/assignment',
            [$paymentId],
            body: $body,
            options: $options,
        );
    }
}
