<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type ExportSchedulesCreateInput from Types
 * @phpstan-import-type ExportSchedule from Types
 * @phpstan-import-type ExportSchedulesUpdateInput from Types
 */
final class ExportSchedules
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Export each day, week or month when it has ended.
     *
     * @param ExportSchedulesCreateInput $body
     * @return ExportSchedule
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/export-schedules',
            body: $body,
            options: $options,
        );
    }

    /**
     * List the schedules of exports.
     *
     * @return list<ExportSchedule>
     */
    public function list(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/export-schedules', options: $options);
    }

    /**
     * Pause or resume a schedule, or change who gets an e-mail.
     *
     * @param ?ExportSchedulesUpdateInput $body
     * @return ExportSchedule
     */
    public function update(string|int $scheduleId, ?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'PATCH',
            '/api/apps/{appId}/export-schedules/{scheduleId}',
            [$scheduleId],
            body: $body,
            options: $options,
        );
    }

    /** Remove a schedule; its exports stay. */
    public function remove(string|int $scheduleId, ?CallOptions $options = null): void
    {
        $this->send->call(
            'DELETE',
            '/api/apps/{appId}/export-schedules/{scheduleId}',
            [$scheduleId],
            options: $options,
        );
    }
}
