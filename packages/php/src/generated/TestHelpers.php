<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type TestHelpersPayInput from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type TestHelpersDisputeInput from Types
 * @phpstan-import-type TestHelpersSetFaultInput from Types
 * @phpstan-import-type TestHelpersSetFaultResult from Types
 * @phpstan-import-type TestHelpersClearFaultsResult from Types
 * @phpstan-import-type TestHelpersLedgerQuery from Types
 * @phpstan-import-type TestHelpersLedgerResult from Types
 * @phpstan-import-type TestHelpersPayOutResult from Types
 * @phpstan-import-type TestHelpersSetSettlementFaultInput from Types
 * @phpstan-import-type TestHelpersSetSettlementFaultResult from Types
 * @phpstan-import-type TestHelpersClearSettlementFaultsResult from Types
 * @phpstan-import-type TestHelpersAdvanceClockInput from Types
 * @phpstan-import-type TestHelpersAdvanceClockResult from Types
 */
final class TestHelpers
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Pay as a customer would.
     *
     * @param ?TestHelpersPayInput $body
     * @return Payment
     */
    public function pay(string|int $paymentId, ?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/test-helpers/payments/{paymentId}/pay',
            [$paymentId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Let the payer's bank dispute a payment.
     *
     * @param ?TestHelpersDisputeInput $body
     * @return Payment
     */
    public function dispute(string|int $paymentId, ?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/test-helpers/payments/{paymentId}/dispute',
            [$paymentId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Let the built-in bank misbehave.
     *
     * @param TestHelpersSetFaultInput $body
     * @return TestHelpersSetFaultResult
     */
    public function setFault(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/test-helpers/faults',
            body: $body,
            options: $options,
        );
    }

    /**
     * Clear all faults.
     *
     * @return TestHelpersClearFaultsResult
     */
    public function clearFaults(?CallOptions $options = null): array
    {
        return $this->send->call('DELETE', '/api/apps/{appId}/test-helpers/faults', options: $options);
    }

    /**
     * What the built-in bank really did.
     *
     * @param ?TestHelpersLedgerQuery $query
     * @return list<TestHelpersLedgerResult>
     */
    public function ledger(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/test-helpers/ledger',
            query: $query,
            options: $options,
        );
    }

    /**
     * Pay out what is due at the app's time.
     *
     * @return TestHelpersPayOutResult
     */
    public function payOut(?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/test-helpers/payouts', options: $options);
    }

    /**
     * Let the next settlement report be wrong.
     *
     * @param TestHelpersSetSettlementFaultInput $body
     * @return TestHelpersSetSettlementFaultResult
     */
    public function setSettlementFault(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/test-helpers/settlement-faults',
            body: $body,
            options: $options,
        );
    }

    /**
     * Clear all faults of settlement reports.
     *
     * @return TestHelpersClearSettlementFaultsResult
     */
    public function clearSettlementFaults(?CallOptions $options = null): array
    {
        return $this->send->call(
            'DELETE',
            '/api/apps/{appId}/test-helpers/settlement-faults',
            options: $options,
        );
    }

    /**
     * Move the app's time ahead.
     *
     * @param TestHelpersAdvanceClockInput $body
     * @return TestHelpersAdvanceClockResult
     */
    public function advanceClock(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/test-helpers/clock',
            body: $body,
            options: $options,
        );
    }
}
