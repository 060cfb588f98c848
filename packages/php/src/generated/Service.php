<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type Health from Types
 * @phpstan-import-type PaymentProvider from Types
 * @phpstan-import-type PublicSettings from Types
 */
final class Service
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Is the process up.
     *
     * @return Health
     */
    public function live(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/health/live', options: $options);
    }

    /**
     * Can it take requests? Not while the database is away or the service stops.
     *
     * @return Health
     */
    public function ready(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/health/ready', options: $options);
    }

    /**
     * This description.
     *
     * @return array<string, mixed>
     */
    public function openapi(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/openapi.json', options: $options);
    }

    /**
     * The providers of this installation.
     *
     * @return list<PaymentProvider>
     */
    public function providers(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/providers', options: $options);
    }

    /**
     * What a console shows before the sign-in.
     *
     * @return PublicSettings
     */
    public function settings(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/settings', options: $options);
    }
}
