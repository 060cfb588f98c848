<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type PaymentLinksCreateInput from Types
 * @phpstan-import-type PaymentLink from Types
 * @phpstan-import-type PaymentLinksListQuery from Types
 * @phpstan-import-type PaymentLinksPaymentsQuery from Types
 * @phpstan-import-type Payment from Types
 */
final class PaymentLinks
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Create a payment link for one payer or for many.
     *
     * @param PaymentLinksCreateInput $body
     * @return PaymentLink
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/payment-links', body: $body, options: $options);
    }

    /**
     * List payment links, the newest first.
     *
     * @param ?PaymentLinksListQuery $query
     * @return ResultList<PaymentLink>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/payment-links', query: $query, options: $options);
    }

    /**
     * Read a payment link with what was paid through it.
     *
     * @return PaymentLink
     */
    public function get(string|int $paymentLinkId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payment-links/{paymentLinkId}',
            [$paymentLinkId],
            options: $options,
        );
    }

    /**
     * Withdraw a payment link.
     *
     * @return PaymentLink
     */
    public function withdraw(string|int $paymentLinkId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'DELETE',
            '/api/apps/{appId}/payment-links/{paymentLinkId}',
            [$paymentLinkId],
            options: $options,
        );
    }

    /**
     * List the payments of a payment link, the newest first.
     *
     * @param ?PaymentLinksPaymentsQuery $query
     * @return ResultList<Payment>
     */
    public function payments(
        string|int $paymentLinkId,
        ?array $query = null,
        ?CallOptions $options = null,
    ): ResultList
    {
        return $this->send->list(
            '/api/apps/{appId}/payment-links/{paymentLinkId}/payments',
            [$paymentLinkId],
            query: $query,
            options: $options,
        );
    }
}
