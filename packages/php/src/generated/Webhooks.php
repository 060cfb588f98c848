<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type WebhooksListQuery from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type WebhooksGetQuery from Types
 * @phpstan-import-type WebhooksResendQuery from Types
 * @phpstan-import-type WebhooksResendFailedQuery from Types
 * @phpstan-import-type Resent from Types
 */
final class Webhooks
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List the webhooks of the app with their attempts, the newest first.
     *
     * @param ?WebhooksListQuery $query
     * @return ResultList<WebhookDelivery>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/webhooks', query: $query, options: $options);
    }

    /**
     * Read a webhook with every attempt and what was answered.
     *
     * @param ?WebhooksGetQuery $query
     * @return WebhookDelivery
     */
    public function get(string|int $eventId, ?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/webhooks/{eventId}',
            [$eventId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Send a webhook again, or now instead of later.
     *
     * @param ?WebhooksResendQuery $query
     * @return WebhookDelivery
     */
    public function resend(string|int $eventId, ?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/webhooks/{eventId}/resend',
            [$eventId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Send all webhooks again that were given up.
     *
     * @param ?WebhooksResendFailedQuery $query
     * @return Resent
     */
    public function resendFailed(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/webhooks/resend-failed',
            query: $query,
            options: $options,
        );
    }

    /**
     * Send a test event to the webhook address of the app.
     *
     * @return WebhookDelivery
     */
    public function sendTest(?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/webhooks/test', options: $options);
    }

    /**
     * Replace the secret that signs webhooks; both sign for a day.
     *
     * @return string
     */
    public function rotateSecret(?CallOptions $options = null): string
    {
        return $this->send->call('POST', '/api/apps/{appId}/webhook-signing-secret', options: $options);
    }

    /** Send webhooks without a signature. */
    public function removeSecret(?CallOptions $options = null): void
    {
        $this->send->call('DELETE', '/api/apps/{appId}/webhook-signing-secret', options: $options);
    }
}
