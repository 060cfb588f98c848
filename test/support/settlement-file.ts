import type { Answer, TestApp } from './tender.ts'

/** A row of the general CSV; see docs/guides/settlements.md. */
export type CsvRow = Readonly<Record<string, string | number>>

export function csvOf(rows: readonly CsvRow[]): string {
  const columns = [...new Set(['line_id', 'kind', 'gross', 'currency', 'time', ...rows.flatMap(Object.keys)])]
  const cells = (row: CsvRow) =>
    columns.map((name) => `"${String(row[name] ?? '').replaceAll('"', '""')}"`).join(',')
  return `${columns.join(',')}\n${rows.map((row) => `${cells(row)}\n`).join('')}`
}

let lines = 0

/** The line of a payment's sale, found by the provider's id. */
export const saleOf = (payment: Answer, more: CsvRow = {}): CsvRow => ({
  line_id: `line-${++lines}`,
  kind: 'sale',
  gross: payment.capturedAmount,
  currency: payment.currency,
  time: payment.createdTime,
  provider_ids: payment.payInfo.providerReferenceId,
  ...more,
})

export const profileOf = (payment: Answer): number => payment.payInfo.paymentProfile.paymentProfileId

/** Sends a file for the profile of the payment. */
export const upload = (app: TestApp, profileId: number, file: string) =>
  app.call('POST', `settlement-reports?paymentProfileId=${profileId}`, file, { 'content-type': 'text/csv' })

export const exceptionsOf = async (app: TestApp, query = ''): Promise<Answer[]> =>
  (await app.call('GET', `settlement-exceptions?${query}`)).body
