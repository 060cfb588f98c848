import { STATES } from '../../src/payments/machine.ts'
import { waitsForBank } from './provider.ts'
import { rows, type Scene } from './scene.ts'

/** What the bank, or a customer on its page, is still at. */
const AT_WORK = ['needs-customer', 'processing', 'in-review']

/** Work of ours that is still open though its payment rests: nobody would ever see it end. */
const LEFT_OVER = `
  select 'operation ' || o.step as what, o.payment_id,
    o.step = 'start' and o.status = 'waiting' and p.state = 'Created' as is_page
  from operations o
    join payments p on p.app_id = o.app_id and p.payment_id = o.payment_id
    left join sandbox_bank.payments b on b.account = o.app_id and b.reference = p.attempt_key
  where o.status in ('open', 'waiting') and coalesce(b.status, '') <> all ('{${AT_WORK.join(',')}}')
  union all
  select 'undoing of an attempt', payment_id, false from undos where status = 'open'
  union all
  select 'refund', r.payment_id, false from refunds r
    join payments p on p.app_id = r.app_id and p.payment_id = r.payment_id
  where r.state = 'pending' and p.state not in ('Refunding', 'Cancelling')
  union all
  select 'notification', 0, false from provider_notifications where status = 'new'
  union all
  select 'webhook', payment_id, false from deliveries where status <> 'delivered'`

/** After the quiet phase nothing is moving unless the provider is. */
export async function nothingMoves({ world, payments }: Scene): Promise<string[]> {
  const moving = payments
    .filter(({ state }) => STATES[state].kind === 'moving')
    .filter(({ attempt_status }) => !AT_WORK.includes(attempt_status ?? ''))
    .map(
      ({ payment_id, state, attempt_status }) =>
        `payment ${payment_id} is still ${state}, the bank says ${attempt_status}`,
    )
  const left = await rows<{ what: string; payment_id: string; is_page: boolean }>(world, LEFT_OVER)
  const { provider } = world
  const waits = payments.filter((payment) => provider && waitsForBank(payment, provider))
  const isDisputed = (what: string, id: string): boolean =>
    what.startsWith('undoing') && waits.some(({ payment_id }) => String(payment_id) === String(id))
  const open = left
    .filter(({ is_page }) => !is_page || !provider?.pagesStayOpen)
    .filter(({ what, payment_id }) => !isDisputed(what, payment_id))
  return [...moving, ...open.map(({ what, payment_id }) => `${what} of payment ${payment_id} never ended`)]
}
