import { good, type TestApp } from '../support/tender.ts'

/** A file of payments, and one of refunds each week. */
export async function makeExports({ call }: TestApp): Promise<void> {
  good(await call('POST', 'exports', { kind: 'payments' }))
  good(await call('POST', 'export-schedules', { kind: 'refunds', every: 'week', recipients: [] }))
}
