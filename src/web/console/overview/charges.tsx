import type { Period } from '../../../insights/period.ts'
import { CHARGES_LISTED_BY, type FailedCharges } from '../../../payments/search/search.ts'
import { numberText } from '../../kit/format/numbers.ts'
import { timeZoneOf } from '../../kit/format/time.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { listOf, rangeFilter } from './range.ts'

interface ChargesProps {
  readonly charges: FailedCharges
  readonly period: Period
}

type Count = keyof typeof CHARGES_LISTED_BY
type Row = FailedCharges['byRetry'][number] | (Pick<FailedCharges, Count> & { readonly retry: null })

/** What became of failed charges of stored methods; nothing where none failed. Each count opens its list. */
export function Charges({ charges, period }: ChargesProps) {
  const request = useRequest()
  const words = request.texts.overview.charges
  if (charges.failed === 0) return null
  const days = rangeFilter(period, timeZoneOf(request))
  const rows: Row[] = [...charges.byRetry.filter(({ failed }) => failed > 0), { ...charges, retry: null }]
  const column = (of: Count) => ({
    label: words[of],
    cell: ({ retry, ...counts }: Row) => (
      <a
        href={listOf(request, {
          q: [CHARGES_LISTED_BY[of], retry && `retry:${retry}`].join(' ').trim(),
          ...days,
        })}
      >
        {numberText(request, counts[of])}
      </a>
    ),
    end: true,
  })
  return (
    <Card title={words.title}>
      <p class="muted small">
        {words.hint}
        {!charges.isWhole && ` ${words.newest({ count: charges.failed })}`}
      </p>
      <List
        isStacked
        caption={words.title}
        items={rows}
        columns={[
          { label: words.retry, cell: ({ retry }) => (retry === null ? words.all : words.advice[retry]) },
          column('failed'),
          column('forbidden'),
          column('recovered'),
        ]}
      />
    </Card>
  )
}
