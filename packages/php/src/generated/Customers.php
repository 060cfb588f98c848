<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type CustomersAllActivityQuery from Types
 * @phpstan-import-type CustomerActivity from Types
 * @phpstan-import-type CustomersActivityQuery from Types
 * @phpstan-import-type CustomerInput from Types
 * @phpstan-import-type Customer from Types
 * @phpstan-import-type CustomersListQuery from Types
 * @phpstan-import-type CustomerPatch from Types
 * @phpstan-import-type CustomersPaymentMethodsQuery from Types
 * @phpstan-import-type StoredPaymentMethod from Types
 * @phpstan-import-type MethodImport from Types
 * @phpstan-import-type CustomersProviderInfoResult from Types
 * @phpstan-import-type CustomersPanelLinkQuery from Types
 * @phpstan-import-type CustomersResetFraudCountsResult from Types
 * @phpstan-import-type ErasedCustomer from Types
 * @phpstan-import-type Note from Types
 * @phpstan-import-type NewNote from Types
 * @phpstan-import-type Assignment from Types
 * @phpstan-import-type NewAssignment from Types
 */
final class Customers
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * What happened to customers beside payments, the newest first.
     *
     * @param ?CustomersAllActivityQuery $query
     * @return ResultList<CustomerActivity>
     */
    public function allActivity(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list(
            '/api/apps/{appId}/customers/activity-logs',
            query: $query,
            options: $options,
        );
    }

    /**
     * What happened to a customer beside payments, the newest first.
     *
     * @param ?CustomersActivityQuery $query
     * @return ResultList<CustomerActivity>
     */
    public function activity(
        string|int $customerId,
        ?array $query = null,
        ?CallOptions $options = null,
    ): ResultList
    {
        return $this->send->list(
            '/api/apps/{appId}/customers/{customerId}/activity-logs',
            [$customerId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Create a customer.
     *
     * @param CustomerInput $body
     * @return Customer
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/customers', body: $body, options: $options);
    }

    /**
     * List the customers of the app, ordered by customerId.
     *
     * @param ?CustomersListQuery $query
     * @return ResultList<Customer>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/customers', query: $query, options: $options);
    }

    /**
     * Read a customer.
     *
     * @return Customer
     */
    public function get(string|int $customerId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/customers/{customerId}',
            [$customerId],
            options: $options,
        );
    }

    /**
     * Change a customer.
     *
     * @param ?CustomerPatch $body
     * @return Customer
     */
    public function update(string|int $customerId, ?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'PATCH',
            '/api/apps/{appId}/customers/{customerId}',
            [$customerId],
            body: $body,
            options: $options,
        );
    }

    /**
     * List the stored payment methods of a customer, newest first.
     *
     * @param ?CustomersPaymentMethodsQuery $query
     * @return list<StoredPaymentMethod>
     */
    public function paymentMethods(
        string|int $customerId,
        ?array $query = null,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/customers/{customerId}/payment-methods',
            [$customerId],
            query: $query,
            options: $options,
        );
    }

    /** Remove a stored payment method; its auto-payment registrations end too. */
    public function removePaymentMethod(
        string|int $customerId,
        string|int $paymentMethodId,
        ?CallOptions $options = null,
    ): void
    {
        $this->send->call(
            'DELETE',
            '/api/apps/{appId}/customers/{customerId}/payment-methods/{paymentMethodId}',
            [$customerId, $paymentMethodId],
            options: $options,
        );
    }

    /**
     * Stop an auto-payment registration.
     *
     * @return Customer
     */
    public function stopAutoPayment(
        string|int $customerId,
        string|int $customerAutomaticProfileId,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'DELETE',
            '/api/apps/{appId}/customers/{customerId}/auto-payments/{customerAutomaticProfileId}',
            [$customerId, $customerAutomaticProfileId],
            options: $options,
        );
    }

    /**
     * Import a stored payment method by the provider's token.
     *
     * @param MethodImport $body
     * @return StoredPaymentMethod
     */
    public function importPaymentMethod(
        string|int $customerId,
        array $body,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/customers/{customerId}/payment-methods/import',
            [$customerId],
            body: $body,
            options: $options,
        );
    }

    /**
     * The balance of a stored method.
     *
     * @return int|numeric-string|null
     */
    public function methodBalance(
        string|int $customerId,
        string|int $paymentMethodId,
        ?CallOptions $options = null,
    ): mixed
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/customers/{customerId}/payment-methods/{paymentMethodId}/balance',
            [$customerId, $paymentMethodId],
            options: $options,
        );
    }

    /**
     * What bank data services know of a customer.
     *
     * @return CustomersProviderInfoResult
     */
    public function providerInfo(string|int $customerId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/customers/{customerId}/provider-raw-info',
            [$customerId],
            options: $options,
        );
    }

    /**
     * A signed link to the customer's own panel, valid for one hour.
     *
     * @param ?CustomersPanelLinkQuery $query
     * @return string
     */
    public function panelLink(
        string|int $customerId,
        ?array $query = null,
        ?CallOptions $options = null,
    ): string
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/customers/{customerId}/panel-link',
            [$customerId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Let the counts of fraud rules start anew for a customer.
     *
     * @return CustomersResetFraudCountsResult
     */
    public function resetFraudCounts(string|int $customerId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/customers/{customerId}/reset-affected-check-policy-time',
            [$customerId],
            options: $options,
        );
    }

    /**
     * Erase the personal data of a customer.
     *
     * @return ErasedCustomer
     */
    public function erase(string|int $customerId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/customers/{customerId}/erase',
            [$customerId],
            options: $options,
        );
    }

    /**
     * List the notes of a customer, the newest first.
     *
     * @return list<Note>
     */
    public function notes(string|int $customerId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/customers/{customerId}/notes',
            [$customerId],
            options: $options,
        );
    }

    /**
     * Add a note to a customer.
     *
     * @param NewNote $body
     * @return Note
     */
    public function addNote(string|int $customerId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/customers/{customerId}/notes',
            [$customerId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Read which member of the team takes care of a customer.
     *
     * @return Assignment
     */
    public function assignment(string|int $customerId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/customers/{customerId}/assignment',
            [$customerId],
            options: $options,
        );
    }

    /**
     * Give a customer to a member of the team.
     *
     * @param NewAssignment $body
     * @return Assignment
     */
    public function assign(string|int $customerId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'PUT',
            '/api/apps/{appId}/customers/{customerId}/assignment',
            [$customerId],
            body: $body,
            options: $options,
        );
    }
}
