import { ERRORS, type ErrorCode } from '../base/errors.ts'
import { code, type Sheet } from './sheet.ts'

export const ERRORS_SAY =
  'Every refusal is `application/problem+json` with a `code`. Clients decide by `code` and status; titles ' +
  'and details are for people and may change. `errors` lists every bad field, and `requestId` finds the ' +
  'request in the logs. A refusal with `Retry-After` passes by itself: send the same request again after ' +
  'that many seconds, with the same `Idempotency-Key`.'

/** All error codes, by status. */
export function errorEntries() {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  return codes
    .map((name) => ({ code: name, ...ERRORS[name] }))
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
}

export function errorSheet(): Sheet {
  return {
    title: 'Codes',
    columns: ['Code', 'Status', 'Title', 'What to do'],
    rows: errorEntries().map(({ code: name, status, title, help }) => [
      code(name),
      String(status),
      title,
      help,
    ]),
  }
}
