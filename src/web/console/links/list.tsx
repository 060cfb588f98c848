import type { AuditEntry } from '../../../audit/audit.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { shortText } from '../../kit/format/short-text.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { EmptyState, Pager, Table, type TableRow } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { useRequest } from '../../kit/screen.tsx'

interface MadeLink {
  readonly entry: AuditEntry
  readonly payment: Payment | undefined
}

interface LinkListProps {
  readonly links: readonly MadeLink[]
  readonly next: string | undefined
}

export function LinkList({ links, next }: LinkListProps) {
  const request = useRequest()
  const { texts, base } = request
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
        rows={links.flatMap(({ entry, payment }) => (payment ? [rowOf(request, entry, payment)] : []))}
      />
      <Pager next={next} />
    </>
  )
}

function rowOf(request: AppRequest, { actor }: AuditEntry, payment: Payment): TableRow {
  const { language, texts, base } = request
  const href = `${base}/links/${payment.paymentId}`
  return {
    href,
    cells: [
      <a href={href}>
        <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
      </a>,
      <StateBadge texts={texts} state={payment.state} />,
      <bdi>{shortText(payment.details.description, 48)}</bdi>,
      <Time time={payment.createdTime} />,
      payment.expirationTime && <Time time={payment.expirationTime} />,
      <bdi>{shortText(actor.name, 40)}</bdi>,
    ],
  }
}
