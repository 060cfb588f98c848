<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type RefundApprovalsListQuery from Types
 * @phpstan-import-type RefundApproval from Types
 */
final class RefundApprovals
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List refunds that need a second person, the newest first.
     *
     * @param ?RefundApprovalsListQuery $query
     * @return list<RefundApproval>
     */
    public function list(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/refund-approvals',
            query: $query,
            options: $options,
        );
    }
}
