<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\File;
use TenderPay\Sender;

/**
 * @phpstan-import-type LedgerBalancesQuery from Types
 * @phpstan-import-type LedgerBalances from Types
 * @phpstan-import-type LedgerFeesQuery from Types
 * @phpstan-import-type LedgerFees from Types
 * @phpstan-import-type LedgerJournalQuery from Types
 * @phpstan-import-type LedgerSettlementsQuery from Types
 * @phpstan-import-type LedgerMonth from Types
 */
final class Ledger
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * The balance of each account of the ledger at the end of a day.
     *
     * @param ?LedgerBalancesQuery $query
     * @return LedgerBalances
     */
    public function balances(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/ledger/balances',
            query: $query,
            options: $options,
        );
    }

    /**
     * What settlements cost, by provider profile, method, country or month.
     *
     * @param ?LedgerFeesQuery $query
     * @return LedgerFees
     */
    public function fees(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/ledger/fees', query: $query, options: $options);
    }

    /**
     * Export the journal for a spreadsheet, hledger or beancount.
     *
     * @param ?LedgerJournalQuery $query
     */
    public function journal(?array $query = null, ?CallOptions $options = null): File
    {
        return $this->send->file('/api/apps/{appId}/ledger/journal', query: $query, options: $options);
    }

    /**
     * Export the settlement lines of all providers as one CSV.
     *
     * @param ?LedgerSettlementsQuery $query
     */
    public function settlements(?array $query = null, ?CallOptions $options = null): File
    {
        return $this->send->file('/api/apps/{appId}/ledger/settlements', query: $query, options: $options);
    }

    /**
     * The months that are closed.
     *
     * @return list<LedgerMonth>
     */
    public function months(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/ledger/months', options: $options);
    }

    /**
     * Close a month of the ledger for good.
     *
     * @return LedgerMonth
     */
    public function closeMonth(string|int $month, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/ledger/months/{month}/close',
            [$month],
            options: $options,
        );
    }
}
