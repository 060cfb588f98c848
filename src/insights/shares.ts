/** Parts of the captured money, such as by method. Pure. */

/** What was captured of one currency by one profile, method or country. */
export interface MoneyShare {
  /** The id of the profile, the kind of the method or the code of the country; '': unknown. */
  readonly name: string
  readonly currency: string
  readonly captured: number
  readonly capturedMinor: bigint
  /** In the period before. */
  readonly previousMinor: bigint
  /** Of the captured money of this currency, 0 to 1. */
  readonly share: number
}

/** A sum of payments that were captured, with its name. */
export interface NamedSum {
  readonly name: string
  readonly currency: string
  readonly payments: number
  readonly capturedMinor: bigint
}

/** The most money first. What was captured only in the period before has a row too. */
export function sharesOf(now: readonly NamedSum[], before: readonly NamedSum[]): MoneyShare[] {
  const rows = new Map<string, Omit<MoneyShare, 'share'>>()
  const totals = new Map<string, bigint>()
  const rowOf = ({ name, currency }: NamedSum) =>
    rows.get(`${currency} ${name}`) ?? { name, currency, captured: 0, capturedMinor: 0n, previousMinor: 0n }
  for (const sum of now) {
    const row = rowOf(sum)
    const capturedMinor = row.capturedMinor + sum.capturedMinor
    rows.set(`${sum.currency} ${sum.name}`, { ...row, captured: row.captured + sum.payments, capturedMinor })
    totals.set(sum.currency, (totals.get(sum.currency) ?? 0n) + sum.capturedMinor)
  }
  for (const sum of before) {
    const row = rowOf(sum)
    rows.set(`${sum.currency} ${sum.name}`, {
      ...row,
      previousMinor: row.previousMinor + sum.capturedMinor,
    })
  }
  return [...rows.values()]
    .map((row) => {
      const total = totals.get(row.currency) ?? 0n
      return { ...row, share: total === 0n ? 0 : Number(row.capturedMinor) / Number(total) }
    })
    .sort((one, other) => Number(other.capturedMinor - one.capturedMinor))
}
