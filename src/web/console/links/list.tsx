import type { AuditEntry } from '../../../audit/audit.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppVisit } from '../frame/visit.ts'
import { GetButton } from '../parts/forms.tsx'
import { StateBadge } from '../parts/state.tsx'
import { EmptyState, Pager, Table, type TableRow } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

interface MadeLink {
  readonly entry: AuditEntry
  readonly payment: Payment | undefined
}

interface LinkListProps {
  readonly visit: AppVisit
  readonly links: readonly MadeLink[]
  readonly next: string | undefined
}

export function LinkList({ visit, links, next }: LinkListProps) {
  const { texts, base } = visit
  const { links: words } = texts
  if (links.length === 0)
    return (
      <EmptyState title={words.empty}>
        <p>{words.emptyBody}</p>
        <GetButton href={`${base}/links/new`}>{words.create}</GetButton>
      </EmptyState>
    )
  return (
    <>
      <p class="muted">{words.intro}</p>
      <Table
        caption={words.title}
        columns={[
          { label: words.amount, end: true },
          { label: words.state },
          { label: words.description },
          { label: words.createdTime },
          { label: words.until },
          { label: words.by },
        ]}
        rows={links.flatMap(({ entry, payment }) => (payment ? [rowOf(visit, entry, payment)] : []))}
      />
      <Pager visit={visit} next={next} />
    </>
  )
}

function rowOf(visit: AppVisit, { actor }: AuditEntry, payment: Payment): TableRow {
  const { language, texts, base } = visit
  const href = `${base}/links/${payment.paymentId}`
  return {
    href,
    cells: [
      <a href={href}>
        <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
      </a>,
      <StateBadge texts={texts} state={payment.state} />,
      <bdi>{shortText(payment.details.description, 48)}</bdi>,
      <Time visit={visit} time={payment.createdTime} />,
      payment.expirationTime && <Time visit={visit} time={payment.expirationTime} />,
      <bdi>{shortText(actor.name, 40)}</bdi>,
    ],
  }
}
