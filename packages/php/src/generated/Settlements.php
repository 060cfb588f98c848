<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type SettlementsLinesQuery from Types
 * @phpstan-import-type SettlementLine from Types
 * @phpstan-import-type SettlementsPayoutsQuery from Types
 * @phpstan-import-type Payout from Types
 * @phpstan-import-type PayoutDetails from Types
 * @phpstan-import-type SettlementsExceptionsQuery from Types
 * @phpstan-import-type SettlementException from Types
 * @phpstan-import-type SettlementsCloseExceptionInput from Types
 * @phpstan-import-type SettlementsImportReportQuery from Types
 * @phpstan-import-type SettlementReport from Types
 * @phpstan-import-type SettlementsReportsQuery from Types
 * @phpstan-import-type ListedSettlementReport from Types
 * @phpstan-import-type SettlementReportDetails from Types
 * @phpstan-import-type SettlementSource from Types
 * @phpstan-import-type SettlementsSetSourceInput from Types
 */
final class Settlements
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List what providers report about settled money, the newest first.
     *
     * @param ?SettlementsLinesQuery $query
     * @return ResultList<SettlementLine>
     */
    public function lines(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/settlement-lines', query: $query, options: $options);
    }

    /**
     * List the payouts of providers, the newest first.
     *
     * @param ?SettlementsPayoutsQuery $query
     * @return ResultList<Payout>
     */
    public function payouts(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/payouts', query: $query, options: $options);
    }

    /**
     * Read a payout with its lines by kind, and whether they add up.
     *
     * @return PayoutDetails
     */
    public function payout(string|int $payoutId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/payouts/{payoutId}',
            [$payoutId],
            options: $options,
        );
    }

    /**
     * List what does not agree, open exceptions first, the newest first.
     *
     * @param ?SettlementsExceptionsQuery $query
     * @return ResultList<SettlementException>
     */
    public function exceptions(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/settlement-exceptions', query: $query, options: $options);
    }

    /**
     * Close an exception with a reason.
     *
     * @param SettlementsCloseExceptionInput $body
     * @return SettlementException
     */
    public function closeException(string|int $id, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/settlement-exceptions/{id}/close',
            [$id],
            body: $body,
            options: $options,
        );
    }

    /**
     * Accept the payment that is suggested for the line of an exception.
     *
     * @return SettlementException
     */
    public function acceptSuggestion(string|int $id, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/settlement-exceptions/{id}/accept',
            [$id],
            options: $options,
        );
    }

    /**
     * Import a settlement report.
     *
     * @param string $body
     * @param SettlementsImportReportQuery $query
     * @return SettlementReport
     */
    public function importReport(string $body, array $query, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/settlement-reports',
            body: $body,
            query: $query,
            options: $options,
        );
    }

    /**
     * List files and pages that were read, the newest first.
     *
     * @param ?SettlementsReportsQuery $query
     * @return ResultList<ListedSettlementReport>
     */
    public function reports(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/settlement-reports', query: $query, options: $options);
    }

    /**
     * Read a report with the rows that could not be read.
     *
     * @return SettlementReportDetails
     */
    public function report(string|int $reportId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/settlement-reports/{reportId}',
            [$reportId],
            options: $options,
        );
    }

    /**
     * Read how the settlements of a profile arrive.
     *
     * @return SettlementSource
     */
    public function source(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/settlement-sources/{paymentProfileId}',
            [$paymentProfileId],
            options: $options,
        );
    }

    /**
     * Turn reading of the provider's settlements on or off.
     *
     * @param SettlementsSetSourceInput $body
     * @return SettlementSource
     */
    public function setSource(string|int $paymentProfileId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'PUT',
            '/api/apps/{appId}/settlement-sources/{paymentProfileId}',
            [$paymentProfileId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Read the provider's settlements now.
     *
     * @return SettlementSource
     */
    public function readSource(string|int $paymentProfileId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/settlement-sources/{paymentProfileId}/read',
            [$paymentProfileId],
            options: $options,
        );
    }
}
