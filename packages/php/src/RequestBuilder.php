<?php

declare(strict_types=1);

namespace TenderPay;

use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\StreamFactoryInterface;

/** @internal */
final class RequestBuilder
{
    public function __construct(
        private readonly string $url,
        private readonly string $appId,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    /** @return array<string, string> without the key: dumps end up in logs */
    public function __debugInfo(): array
    {
        return ['url' => $this->url, 'appId' => $this->appId];
    }

    /**
     * @param list<string|int> $ids
     * @param array<string, mixed> $query
     */
    public function build(
        string $method,
        string $path,
        array $ids,
        mixed $body,
        array $query,
        CallOptions $options,
    ): RequestInterface {
        $request = $this->requests
            ->createRequest($method, rtrim($this->url, '/') . $this->fill($path, $ids) . self::queryText($query))
            ->withHeader('Authorization', 'Bearer ' . self::checkedKey($options->apiKey ?? $this->apiKey))
            ->withHeader('User-Agent', 'tender-pay-php/' . Tender::VERSION);
        foreach ($options->headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($method === 'POST') {
            $key = $options->idempotencyKey ?? bin2hex(random_bytes(16));
            $request = $request->withHeader('Idempotency-Key', $key);
        }
        if ($options->waitSeconds !== null) {
            $wait = $options->waitSeconds === 0 ? 'respond-async' : "wait=$options->waitSeconds";
            $request = $request->withHeader('Prefer', $wait);
        }
        if ($body === null) {
            return $request;
        }
        // A string is a file, and sent as it is.
        $isFile = is_string($body);
        return $request
            ->withHeader('Content-Type', $isFile ? 'application/octet-stream' : 'application/json')
            ->withBody($this->streams->createStream($isFile ? $body : Json::encode($body)));
    }

    /** HTTP clients refuse a key with a line break too, and name the key in their error. */
    private static function checkedKey(#[\SensitiveParameter] string $key): string
    {
        if (preg_match('/^[\x21-\x7e]+$/D', $key) !== 1) {
            throw new \InvalidArgumentException(
                'The API key is empty or has a space, a line break or another character that no key has.'
            );
        }
        return $key;
    }

    /** @param list<string|int> $ids */
    private function fill(string $path, array $ids): string
    {
        $fill = function (array $found) use (&$ids): string {
            return self::segment((string) ($found[1] === 'appId' ? $this->appId : array_shift($ids)));
        };
        return (string) preg_replace_callback('/\{(\w+)\}/', $fill, $path);
    }

    /** A part of a path. Dots alone would name another path. */
    private static function segment(string $id): string
    {
        if (in_array($id, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException("'$id' cannot be part of the address of a call.");
        }
        return rawurlencode($id);
    }

    /** @param array<string, mixed> $query */
    private static function queryText(array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);
        $texts = array_map(self::queryValue(...), $given);
        return $texts === [] ? '' : '?' . http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }

    private static function queryValue(mixed $value): string
    {
        Json::refuseFloat($value);
        if (is_bool($value)) {
            return $value ? 'true' : 'false';
        }
        return $value instanceof Decimal ? $value->digits : (string) $value;
    }
}
