<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type Routing from Types
 * @phpstan-import-type RoutingInput from Types
 * @phpstan-import-type RoutingExplainInput from Types
 * @phpstan-import-type RoutingExplanation from Types
 */
final class Routing
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Which provider profile takes which payment, and how well the profiles work.
     *
     * @return Routing
     */
    public function get(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/routing', options: $options);
    }

    /**
     * Replace the routing of the app.
     *
     * @param ?RoutingInput $body
     * @return Routing
     */
    public function replace(?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call('PUT', '/api/apps/{appId}/routing', body: $body, options: $options);
    }

    /**
     * Why a payment would go where it goes.
     *
     * @param RoutingExplainInput $body
     * @return RoutingExplanation
     */
    public function explain(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/routing/explain', body: $body, options: $options);
    }
}
