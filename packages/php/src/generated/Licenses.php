<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type LicensedApp from Types
 * @phpstan-import-type LicenseInput from Types
 * @phpstan-import-type License from Types
 * @phpstan-import-type OwnerInput from Types
 * @phpstan-import-type OwnerInvitation from Types
 * @phpstan-import-type VisitInput from Types
 * @phpstan-import-type LicenseVisit from Types
 */
final class Licenses
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * The apps of a licence, each with a working API key.
     *
     * @return list<LicensedApp>
     */
    public function apps(string|int $licenseId, ?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/licenses/{licenseId}', [$licenseId], options: $options);
    }

    /**
     * Create a licence: one merchant with a sandbox app and a live app.
     *
     * @param LicenseInput $body
     * @return License
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/licenses', body: $body, options: $options);
    }

    /**
     * Invite an owner to a licence that has none.
     *
     * @param OwnerInput $body
     * @return OwnerInvitation
     */
    public function inviteOwner(string|int $licenseId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/licenses/{licenseId}/owner-invitation',
            [$licenseId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Enter a licence: an operator reads it for an hour.
     *
     * @param VisitInput $body
     * @return LicenseVisit
     */
    public function enter(string|int $licenseId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/licenses/{licenseId}/visits',
            [$licenseId],
            body: $body,
            options: $options,
        );
    }
}
