<?php

declare(strict_types=1);

namespace TenderPay;

use Closure;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use TenderPay\Generated\Resources;

/** A client for one app: `$tender->payments->get(10001)`. */
final class Tender extends Resources
{
    public const VERSION = '0.1.0';

    /**
     * @param string $url where the service runs, such as `https://pay.example`
     * @param string $apiKey an API key of the app
     * @param ClientInterface $http your client, which sets the time limit of a try: 40 seconds, because the
     *     service waits for providers up to 30, and which must not follow redirects
     * @param int $maxRetries how many times a call is sent again
     * @param ?Closure(float): void $wait replaces the wait between two tries, in seconds, for tests
     */
    public function __construct(
        string $url,
        string $appId,
        #[\SensitiveParameter] string $apiKey,
        ClientInterface $http,
        RequestFactoryInterface $requests,
        StreamFactoryInterface $streams,
        int $maxRetries = 3,
        ?Closure $wait = null,
    ) {
        $wait ??= static fn (float $seconds) => usleep((int) ($seconds * 1_000_000));
        $factory = new RequestBuilder($url, $appId, $apiKey, $requests, $streams);
        parent::__construct(new Sender($factory, $http, $maxRetries, $wait));
    }
}
