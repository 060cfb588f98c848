<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type PaymentProfilesListQuery from Types
 * @phpstan-import-type PaymentProfile from Types
 * @phpstan-import-type PaymentProfileInput from Types
 * @phpstan-import-type CheckoutMethodGroup from Types
 * @phpstan-import-type PaymentProfilePatch from Types
 * @phpstan-import-type PaymentProviderSetup from Types
 * @phpstan-import-type PaymentProfilesCalculateFeeQuery from Types
 * @phpstan-import-type PaymentProfileFeePreview from Types
 * @phpstan-import-type PaymentProfileFee from Types
 * @phpstan-import-type PaymentProfileMethod from Types
 * @phpstan-import-type PaymentProfileCheck from Types
 * @phpstan-import-type PaymentProfileConnection from Types
 */
final class PaymentProfiles
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List the provider profiles of the app.
     *
     * @param ?PaymentProfilesListQuery $query
     * @return list<PaymentProfile>
     */
    public function list(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-profiles',
            query: $query,
            options: $options,
        );
    }

    /**
     * Add a provider profile.
     *
     * @param PaymentProfileInput $body
     * @return PaymentProfile
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payment-profiles',
            body: $body,
            options: $options,
        );
    }

    /**
     * The ways to check out that the app offers, with the profiles that take them.
     *
     * @return list<CheckoutMethodGroup>
     */
    public function checkoutMethods(?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-profiles/payment-checkout-methods',
            options: $options,
        );
    }

    /**
     * Read a provider profile.
     *
     * @return PaymentProfile
     */
    public function get(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}',
            [$paymentProfileId],
            options: $options,
        );
    }

    /**
     * Change a provider profile.
     *
     * @param ?PaymentProfilePatch $body
     * @return PaymentProfile
     */
    public function update(
        string|int $paymentProfileId,
        ?array $body = null,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'PATCH',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}',
            [$paymentProfileId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Remove a provider profile that was never used.
     *
     * @return PaymentProfile
     */
    public function remove(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'DELETE',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}',
            [$paymentProfileId],
            options: $options,
        );
    }

    /**
     * The providers that the app can use, with what a new profile needs.
     *
     * @return list<PaymentProviderSetup>
     */
    public function providers(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/payment-providers', options: $options);
    }

    /**
     * What a payment would cost at each profile.
     *
     * @param PaymentProfilesCalculateFeeQuery $query
     * @return list<PaymentProfileFeePreview>
     */
    public function calculateFee(array $query, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-profiles/calculate-fee',
            query: $query,
            options: $options,
        );
    }

    /**
     * The fees of a provider profile.
     *
     * @return PaymentProfileFee
     */
    public function fees(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}/fee',
            [$paymentProfileId],
            options: $options,
        );
    }

    /**
     * The methods of a provider profile, and which of them the account has turned on.
     *
     * @return list<PaymentProfileMethod>
     */
    public function methods(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}/methods',
            [$paymentProfileId],
            options: $options,
        );
    }

    /**
     * The settings of a provider profile, masked.
     *
     * @return string
     */
    public function maskedSettings(string|int $paymentProfileId, ?CallOptions $options = null): string
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}/bank-credential',
            [$paymentProfileId],
            options: $options,
        );
    }

    /**
     * Check the settings of a provider profile.
     *
     * @return PaymentProfileCheck
     */
    public function check(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}/check',
            [$paymentProfileId],
            options: $options,
        );
    }

    /**
     * Register the notification address at the provider.
     *
     * @return PaymentProfileConnection
     */
    public function connect(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/payment-profiles/{paymentProfileId}/connect',
            [$paymentProfileId],
            options: $options,
        );
    }
}
