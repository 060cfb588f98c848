<?php

declare(strict_types=1);

namespace TenderPay;

use Closure;
use Generator;
use IteratorAggregate;

/**
 * The rows of a list. Pages are read while you iterate.
 *
 * @template T
 * @implements IteratorAggregate<int, T>
 */
final class ResultList implements IteratorAggregate
{
    /**
     * @internal
     * @param Closure(array<string, mixed>): array{list<T>, ?array<string, string>} $read
     * @param array<string, mixed> $query
     */
    public function __construct(private readonly Closure $read, private readonly array $query)
    {
    }

    /** @return Generator<int, list<T>> */
    public function pages(): Generator
    {
        for ($query = $this->query; $query !== null;) {
            [$rows, $query] = ($this->read)($query);
            yield $rows;
        }
    }

    /** @return Generator<int, T> */
    public function getIterator(): Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page as $row) {
                yield $row;
            }
        }
    }

    /**
     * The first rows, at most `$count`.
     *
     * @return list<T>
     */
    public function take(int $count): array
    {
        $taken = [];
        if ($count > 0) {
            foreach ($this as $row) {
                $taken[] = $row;
                if (count($taken) >= $count) {
                    break;
                }
            }
        }
        return $taken;
    }
}
