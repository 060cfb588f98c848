<?php

declare(strict_types=1);

namespace TenderPay;

use Closure;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/**
 * Sends calls: retries and pages. Every try of a call is the same request, with the same key.
 *
 * @internal
 */
final class Sender
{
    private const FIRST_WAIT_SECONDS = 0.25;
    private const LONGEST_WAIT_SECONDS = 8.0;
    /** A longer Retry-After is for the caller to decide. */
    private const LONGEST_RETRY_AFTER_SECONDS = 60;

    /** @param Closure(float): void $wait */
    public function __construct(
        private readonly RequestBuilder $builder,
        private readonly ClientInterface $http,
        private readonly int $maxRetries,
        private readonly Closure $wait,
    ) {
    }

    /**
     * @param list<string|int> $ids
     * @param ?array<string, mixed> $query
     */
    public function call(
        string $method,
        string $path,
        array $ids = [],
        mixed $body = null,
        ?array $query = null,
        ?CallOptions $options = null,
    ): mixed {
        $options ??= new CallOptions();
        $request = $this->builder->build($method, $path, $ids, $body, $query ?? [], $options);
        // Licences have no app that would remember the key.
        $isRepeatable = $method === 'GET' || str_contains($path, '{appId}');
        [$text] = $this->answered($request, $isRepeatable, $options);
        return $text === '' ? null : self::parsed($text);
    }

    /**
     * @param list<string|int> $ids
     * @param ?array<string, mixed> $query
     * @return ResultList<mixed>
     */
    public function list(
        string $path,
        array $ids = [],
        ?array $query = null,
        ?CallOptions $options = null,
    ): ResultList {
        $options ??= new CallOptions();
        $read = function (array $query) use ($path, $ids, $options): array {
            $request = $this->builder->build('GET', $path, $ids, null, $query, $options);
            [$text, $response] = $this->answered($request, true, $options);
            return [self::rows($text), self::nextQuery($response->getHeaderLine('link'))];
        };
        return new ResultList($read, $query ?? []);
    }

    /**
     * @param list<string|int> $ids
     * @param ?array<string, mixed> $query
     */
    public function file(
        string $path,
        array $ids = [],
        ?array $query = null,
        ?CallOptions $options = null,
    ): File {
        $options ??= new CallOptions();
        $request = $this->builder->build('GET', $path, $ids, null, $query ?? [], $options);
        return new File($this->answered($request, true, $options, false)[1]);
    }

    /**
     * Sends the request until it is answered for good, at most `maxRetries` times more. `$isWhole`: the body is
     * read, once, and one that does not arrive whole is no answer.
     *
     * @return array{string, ResponseInterface}
     */
    private function answered(
        RequestInterface $request,
        bool $isRepeatable,
        CallOptions $options,
        bool $isWhole = true,
    ): array {
        $maxRetries = $options->maxRetries ?? $this->maxRetries;
        for ($retries = 0; ; $retries++) {
            try {
                return $this->attempt($request, $isWhole);
            } catch (TenderException $error) {
                if ($retries >= $maxRetries || !self::mayRepeat($error, $isRepeatable)) {
                    throw $error;
                }
                ($this->wait)(self::waitSeconds($error, $retries));
            }
        }
    }

    /** @return array{string, ResponseInterface} */
    private function attempt(RequestInterface $request, bool $isWhole): array
    {
        $request->getBody()->rewind();
        try {
            $response = $this->http->sendRequest($request);
            $status = $response->getStatusCode();
            $isDone = $status >= 200 && $status < 300;
            $text = $isDone && !$isWhole ? '' : File::bodyOf($response);
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            // The message of the client may have the query of the request.
            throw new TenderException('no_answer', 'No answer.', previous: $error);
        }
        if (!$isDone) {
            throw TenderException::refusal($response, $text);
        }
        return [$text, $response];
    }

    /** Refusals with a time to come back did nothing. Other answers of 500 and more, and none, may have. */
    private static function mayRepeat(TenderException $error, bool $isRepeatable): bool
    {
        if ($error->retryAfterSeconds !== null) {
            return $error->retryAfterSeconds <= self::LONGEST_RETRY_AFTER_SECONDS;
        }
        return $error->isRetryable() && ($error->status === 429 || $isRepeatable);
    }

    /** Doubled with each try; half of it random, so that clients do not come back together. */
    private static function waitSeconds(TenderException $error, int $retries): float
    {
        $most = min(self::LONGEST_WAIT_SECONDS, self::FIRST_WAIT_SECONDS * 2 ** $retries);
        $jittered = $most / 2 + $most / 2 * mt_rand() / mt_getrandmax();
        return max($jittered, $error->retryAfterSeconds ?? 0.0);
    }

    /**
     * Only the query is used: the key is never sent to an address that an answer names.
     *
     * @return ?array<string, string>
     */
    private static function nextQuery(string $link): ?array
    {
        if (preg_match('/<[^>?]*\?([^>]*)>;\s*rel="next"/', $link, $found) !== 1) {
            return null;
        }
        parse_str($found[1], $query);
        return $query;
    }

    /** @return list<mixed> */
    private static function rows(string $text): array
    {
        $rows = self::parsed($text);
        if (is_array($rows) && array_is_list($rows)) {
            return $rows;
        }
        throw new TenderException('unreadable_answer', 'The answer is no list.');
    }

    private static function parsed(string $text): mixed
    {
        try {
            return Json::decode($text);
        } catch (\JsonException $error) {
            throw new TenderException('unreadable_answer', 'The answer is not JSON.', previous: $error);
        }
    }
}
