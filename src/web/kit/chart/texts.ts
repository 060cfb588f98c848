import { majorNumber } from '../../../base/money.ts'
import { dateFormat } from '../format/dates.ts'
import { moneyText } from '../format/money.tsx'
import { numberText } from '../format/numbers.ts'
import type { OpenRequest } from '../frame/request.ts'
import type { ChartValue } from './columns.tsx'

type Seen = Pick<OpenRequest, 'language'>

export const countValue = (request: Seen, value: number, href?: string): ChartValue => ({
  value,
  text: numberText(request, value),
  href,
})

/** An amount: drawn in major units, read exactly. */
export const moneyValue = (
  { language }: Seen,
  minor: bigint,
  currency: string,
  href?: string,
): ChartValue => ({
  value: majorNumber(minor, currency),
  text: moneyText(language, minor, currency),
  href,
})

/** How the hours, days and months of a chart are named: short below it, whole in its table. */
const DAY = { day: 'numeric', month: 'short' } as const
const HOUR = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const STYLES = {
  hour: { label: HOUR, title: { ...DAY, ...HOUR } },
  day: { label: DAY, title: { ...DAY, year: 'numeric' } },
  month: { label: { month: 'short' }, title: { month: 'long', year: 'numeric' } },
} as const satisfies Record<string, Record<'label' | 'title', Intl.DateTimeFormatOptions>>

interface TimeTexts {
  readonly label: string
  readonly title: string
}

export function columnTexts(
  { language }: Seen,
  unit: keyof typeof STYLES,
  timeZone: string,
): (time: Date) => TimeTexts {
  const { label, title } = STYLES[unit]
  const [short, whole] = [label, title].map((style) => dateFormat(language.intl, { ...style, timeZone }))
  return (time) => ({ label: short?.format(time) ?? '', title: whole?.format(time) ?? '' })
}
