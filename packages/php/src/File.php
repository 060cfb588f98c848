<?php

declare(strict_types=1);

namespace TenderPay;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamInterface;

/** A file of the service. It arrives while it is read where the client streams. */
final class File
{
    /** As the service names it. */
    public readonly ?string $name;
    public readonly string $contentType;
    public readonly StreamInterface $body;

    /** @internal */
    public function __construct(private readonly ResponseInterface $response)
    {
        $found = preg_match('/filename="([^"]+)"/', $response->getHeaderLine('content-disposition'), $parts);
        $this->name = $found === 1 ? $parts[1] : null;
        $this->contentType = $response->getHeaderLine('content-type');
        $this->body = $response->getBody();
    }

    /** The whole file. */
    public function read(): string
    {
        try {
            return self::bodyOf($this->response);
        } catch (\RuntimeException $error) {
            throw new TenderException('no_answer', 'The file did not arrive whole.', previous: $error);
        }
    }

    /**
     * Some clients that stream take a connection that ends early for the end of the body.
     *
     * @internal
     */
    public static function bodyOf(ResponseInterface $response): string
    {
        $text = (string) $response->getBody();
        $length = $response->getHeaderLine('content-length');
        // A client that unpacks a body may leave the length of what was sent.
        $isPlain = ctype_digit($length) && !$response->hasHeader('content-encoding');
        if ($isPlain && strlen($text) < (int) $length) {
            throw new \RuntimeException('The body ended early.');
        }
        return $text;
    }
}
