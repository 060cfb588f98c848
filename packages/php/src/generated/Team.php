<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\Sender;

/**
 * @phpstan-import-type TeamUserRole from Types
 * @phpstan-import-type TeamRole from Types
 * @phpstan-import-type RemovedUser from Types
 * @phpstan-import-type BotInput from Types
 * @phpstan-import-type BotKey from Types
 * @phpstan-import-type TeamCreateBotByNameQuery from Types
 */
final class Team
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List members, invited people and API keys with their roles.
     *
     * @return list<TeamUserRole>
     */
    public function list(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/team/resources/{appId}/user-roles', options: $options);
    }

    /**
     * List the roles.
     *
     * @return list<TeamRole>
     */
    public function roles(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/team/resources/{appId}/roles', options: $options);
    }

    /**
     * Invite a person by e-mail address, or change the role of a member.
     *
     * @return TeamUserRole
     */
    public function invite(string|int $roleId, string|int $email, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/team/resources/{appId}/roles/{roleId}/users/email:{email}',
            [$roleId, $email],
            options: $options,
        );
    }

    /**
     * Give a member another role.
     *
     * @return TeamUserRole
     */
    public function changeRole(string|int $roleId, string|int $userId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/team/resources/{appId}/roles/{roleId}/users/{userId}',
            [$roleId, $userId],
            options: $options,
        );
    }

    /**
     * Remove a member, leave the team, withdraw an invitation, or revoke an API key.
     *
     * @return RemovedUser
     */
    public function remove(string|int $roleId, string|int $userId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'DELETE',
            '/api/team/resources/{appId}/roles/{roleId}/users/{userId}',
            [$roleId, $userId],
            options: $options,
        );
    }

    /**
     * Create an API key as a bot.
     *
     * @param BotInput $body
     * @return BotKey
     */
    public function createBot(string|int $roleId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/team/resources/{appId}/roles/{roleId}/bots',
            [$roleId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Create an API key as a bot, by its name.
     *
     * @param TeamCreateBotByNameQuery $query
     * @return BotKey
     */
    public function createBotByName(array $query, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/team/resources/{appId}/bots',
            query: $query,
            options: $options,
        );
    }
}
