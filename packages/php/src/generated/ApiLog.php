<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type ApiLogListQuery from Types
 * @phpstan-import-type ApiCall from Types
 * @phpstan-import-type ApiLogCountsQuery from Types
 * @phpstan-import-type ApiCounts from Types
 * @phpstan-import-type ApiCallDetails from Types
 */
final class ApiLog
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List the requests of the app, the newest first.
     *
     * @param ?ApiLogListQuery $query
     * @return ResultList<ApiCall>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/api-log', query: $query, options: $options);
    }

    /**
     * Count the requests of the app by time and class of status.
     *
     * @param ?ApiLogCountsQuery $query
     * @return ApiCounts
     */
    public function counts(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/api-log-counts', query: $query, options: $options);
    }

    /**
     * Read a request with its masked bodies.
     *
     * @return ApiCallDetails
     */
    public function get(string|int $requestId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/api-log/{requestId}',
            [$requestId],
            options: $options,
        );
    }
}
