/** Addresses that begin alike may share an endpoint; an index entry has no room for every long one. */
const MOST_CHARACTERS = 200

/**
 * A webhook's endpoint, as an expression over the column that holds the payment's own address: that without
 * its query, or '' for the app's address, whatever it will be when the webhook is sent.
 */
export const endpointOf = (column: string): string =>
  `left(split_part(split_part(coalesce(${column}, ''), '?', 1), '#', 1), ${MOST_CHARACTERS})`
