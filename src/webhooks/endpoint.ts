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

/** SQL condition that two rows are of the same delivery. */
export const sameDelivery = (one: string, other: string): string =>
  ['app_id', 'payment_id', 'sequence', 'endpoint_id']
    .map((column) => `${one}.${column} = ${other}.${column}`)
    .join(' and ')

/** SQL condition: a later delivery of the payment to the same endpoint. */
export const isLater = (one: string, other: string): string =>
  `${one}.app_id = ${other}.app_id and ${one}.payment_id = ${other}.payment_id
     and ${one}.endpoint_id = ${other}.endpoint_id and ${one}.sequence > ${other}.sequence`

const FURTHER = 'we_'

/** SQL condition: a further endpoint of an app. Other endpoints are '' or begin with `http`. */
export const isFurther = (column: string): string => `left(${column}, ${FURTHER.length}) = '${FURTHER}'`

/** SQL expression for a URL without its query. */
export const bareUrl = (column: string): string => `split_part(split_part(${column}, '?', 1), '#', 1)`

/**
 * SQL condition that a row of `webhook_endpoints` is about the address that the endpoint has now. A row of an
 * address that was changed or removed does not count.
 */
export const isOfPresentUrl = (row: string): string =>
  `${row}.url = case when ${row}.endpoint = '' then (
       select ${bareUrl('b.payment_webhook_url')} from apps b where b.app_id = ${row}.app_id)
     when ${isFurther(`${row}.endpoint`)} then (
       select ${bareUrl('b.url')} from app_endpoints b
       where b.app_id = ${row}.app_id and b.endpoint = ${row}.endpoint)
     else ${row}.url end`
