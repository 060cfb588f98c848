import type { Route } from './route.ts'

/** The end of `/payments/referenceId:{referenceId}`, with what may follow the value: `/ex`. */
const LITERAL = /(\/[A-Za-z]+\/[A-Za-z]+:)\{\w+\}(\/\w+)?$/

/**
 * Everything after a literal colon is the value: a slash that a client did not encode belongs to it. It is
 * encoded here, before the router splits the path. The path of a route below the value stays one.
 */
export function createWholeValues(): { add(route: Route): void; encode(url: string): string } {
  const known = new Map<string, string[]>()

  function add({ path }: Route): void {
    const [, literal, below] = LITERAL.exec(path) ?? []
    if (literal) known.set(literal, [...(known.get(literal) ?? []), ...(below ? [below] : [])])
  }

  function encode(url: string): string {
    if (!url.includes(':')) return url
    const end = url.search(/[?#]/)
    const path = end < 0 ? url : url.slice(0, end)
    for (const [literal, belows] of known) {
      const at = path.indexOf(literal)
      if (at < 0) continue
      const start = at + literal.length
      const below = belows.find((one) => path.endsWith(one)) ?? ''
      const value = path.slice(start, path.length - below.length).replaceAll('/', '%2F')
      return path.slice(0, start) + value + below + url.slice(path.length)
    }
    return url
  }

  return { add, encode }
}
