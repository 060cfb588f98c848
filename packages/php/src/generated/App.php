<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type App from Types
 * @phpstan-import-type AppPatch from Types
 * @phpstan-import-type CheckoutPagePatch from Types
 * @phpstan-import-type CheckedHost from Types
 * @phpstan-import-type ClearedApp from Types
 * @phpstan-import-type GoingLive from Types
 */
final class App
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Read the app.
     *
     * @return App
     */
    public function get(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}', options: $options);
    }

    /**
     * Change the settings of the app.
     *
     * @param ?AppPatch $body
     * @return App
     */
    public function update(?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call('PATCH', '/api/apps/{appId}', body: $body, options: $options);
    }

    /**
     * Change the host name and the texts of the checkout.
     *
     * @param ?CheckoutPagePatch $body
     * @return App
     */
    public function updateCheckoutPage(?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call('PATCH', '/api/apps/{appId}/checkout-page', body: $body, options: $options);
    }

    /**
     * Look for the proof of the host name now.
     *
     * @return CheckedHost
     */
    public function checkCheckoutDomain(?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/checkout-domain/check', options: $options);
    }

    /**
     * Remove the host name of the checkout.
     *
     * @return App
     */
    public function removeCheckoutDomain(?CallOptions $options = null): array
    {
        return $this->send->call('DELETE', '/api/apps/{appId}/checkout-domain', options: $options);
    }

    /**
     * The address of the app in the console.
     *
     * @return string
     */
    public function consoleLink(?CallOptions $options = null): string
    {
        return $this->send->call('GET', '/api/apps/{appId}/panel-link', options: $options);
    }

    /**
     * Empty a sandbox app.
     *
     * @return ClearedApp
     */
    public function clearAll(?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/clear-all', options: $options);
    }

    /**
     * What the app has and lacks for real customers.
     *
     * @return GoingLive
     */
    public function goingLive(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/going-live', options: $options);
    }
}
