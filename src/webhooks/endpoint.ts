/** The endpoint is part of an index key, so it is cut; longer URLs with the same start share an endpoint. */
const MAX_CHARACTERS = 200

/**
 * SQL expression for the endpoint of a webhook, from the column with the payment's own URL: that URL without
 * its query, or '' for the app's URL at the time of sending.
 */
export const endpointOf = (column: string): string =>
  `left(split_part(split_part(coalesce(${column}, ''), '?', 1), '#', 1), ${MAX_CHARACTERS})`

/** The same for a URL in memory. */
export const endpointText = (url: string | null): string =>
  Array.from((url ?? '').split('?', 1)[0]?.split('#', 1)[0] ?? '')
    .slice(0, MAX_CHARACTERS)
    .join('')
