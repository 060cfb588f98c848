<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type EventsListQuery from Types
 * @phpstan-import-type Event from Types
 */
final class Events
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List the events of the app, the newest first.
     *
     * @param ?EventsListQuery $query
     * @return ResultList<Event>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/events', query: $query, options: $options);
    }
}
