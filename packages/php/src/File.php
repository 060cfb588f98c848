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
    public function __construct(ResponseInterface $response)
    {
        $found = preg_match('/filename="([^"]+)"/', $response->getHeaderLine('content-disposition'), $parts);
        $this->name = $found === 1 ? $parts[1] : null;
        $this->contentType = $response->getHeaderLine('content-type');
        $this->body = $response->getBody();
    }

    /** The whole file. */
    public function read(): string
    {
        return (string) $this->body;
    }
}
