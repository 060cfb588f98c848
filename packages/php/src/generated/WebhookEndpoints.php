<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpointInput from Types
 * @phpstan-import-type NewWebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpointPatch from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type WebhookEndpointSecret from Types
 */
final class WebhookEndpoints
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List the webhook endpoints of the app.
     *
     * @return list<WebhookEndpoint>
     */
    public function list(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/webhook-endpoints', options: $options);
    }

    /**
     * Add a webhook endpoint.
     *
     * @param WebhookEndpointInput $body
     * @return NewWebhookEndpoint
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/webhook-endpoints',
            body: $body,
            options: $options,
        );
    }

    /**
     * Read a webhook endpoint.
     *
     * @return WebhookEndpoint
     */
    public function get(string|int $endpointId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/webhook-endpoints/{endpointId}',
            [$endpointId],
            options: $options,
        );
    }

    /**
     * Change a webhook endpoint, or pause it.
     *
     * @param ?WebhookEndpointPatch $body
     * @return WebhookEndpoint
     */
    public function update(string|int $endpointId, ?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'PATCH',
            '/api/apps/{appId}/webhook-endpoints/{endpointId}',
            [$endpointId],
            body: $body,
            options: $options,
        );
    }

    /** Remove a webhook endpoint. */
    public function remove(string|int $endpointId, ?CallOptions $options = null): void
    {
        $this->send->call(
            'DELETE',
            '/api/apps/{appId}/webhook-endpoints/{endpointId}',
            [$endpointId],
            options: $options,
        );
    }

    /**
     * Send a test event to one webhook endpoint.
     *
     * @return WebhookDelivery
     */
    public function sendTest(string|int $endpointId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/webhook-endpoints/{endpointId}/test',
            [$endpointId],
            options: $options,
        );
    }

    /**
     * Replace the secret of a webhook endpoint; both sign for a day.
     *
     * @return WebhookEndpointSecret
     */
    public function rotateSecret(string|int $endpointId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/webhook-endpoints/{endpointId}/secret',
            [$endpointId],
            options: $options,
        );
    }
}
