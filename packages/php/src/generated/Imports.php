<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type ImportsCreateQuery from Types
 * @phpstan-import-type Import from Types
 * @phpstan-import-type ImportsProblemsQuery from Types
 * @phpstan-import-type ImportProblem from Types
 */
final class Imports
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Import customers, stored payment methods and past payments.
     *
     * @param string $body
     * @param ?ImportsCreateQuery $query
     * @return Import
     */
    public function create(string $body, ?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/imports',
            body: $body,
            query: $query,
            options: $options,
        );
    }

    /**
     * List the imports of the last thirty days, the newest first.
     *
     * @return list<Import>
     */
    public function list(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/imports', options: $options);
    }

    /**
     * Read an import and its progress.
     *
     * @return Import
     */
    public function get(string|int $importId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/imports/{importId}',
            [$importId],
            options: $options,
        );
    }

    /**
     * List the wrong lines of an import in their order, up to 1,000 after a line.
     *
     * @param ?ImportsProblemsQuery $query
     * @return list<ImportProblem>
     */
    public function problems(string|int $importId, ?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/imports/{importId}/problems',
            [$importId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Cancel an import that is not done; what is imported stays.
     *
     * @return Import
     */
    public function cancel(string|int $importId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/imports/{importId}/cancel',
            [$importId],
            options: $options,
        );
    }
}
