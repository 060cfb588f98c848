import type { ApiOperation } from '../providers/kit/simulator.ts'
import type { Merchant } from './merchant.ts'
import { PUBLIC_URL, type Reply } from './node.ts'
import { rows } from './scene.ts'
import type { World } from './world.ts'

/** Charges that the payer has to confirm on a page of the bank, and payers who leave it. */
export const CHALLENGED = ['challenge', 'answered', 'another way', 'pending capture']

/** The next request of this operation is answered so that the payer has to confirm it. */
export function confirmOnce({ provider }: World, operation: ApiOperation): void {
  if (provider?.challenge) provider.simulator.arm({ kind: 'decline', operation, code: provider.challenge })
}

/** Some captures at PayPal are pending for a while; some payers have to agree once more. */
export function armPending(world: World): void {
  const { provider, dice, counter } = world
  if (provider?.id !== 'paypal') return
  const operation = dice.pick(['resume', 'capture'] as const)
  if (dice.chance(0.2)) {
    provider.simulator.arm({ kind: 'pending', operation })
    counter.count('act pending capture')
  }
  if (dice.chance(0.1)) confirmOnce(world, 'resume')
}

/** Of a charge without a page of ours. */
export function noteChallenge(world: World, reply: Reply | undefined): void {
  const { redirectUrl, paymentState } = reply?.body ?? {}
  if (typeof redirectUrl === 'string' && paymentState !== 'Created') noteAsked(world, redirectUrl)
}

function noteAsked({ provider, counter }: World, url: string): void {
  if (!provider || !url.startsWith(provider.origin) || provider.happened.challenges.has(url)) return
  provider.happened.challenges.add(url)
  counter.count('act challenge')
}

const FORM = 'application/x-www-form-urlencoded'

/** A customer of the merchant who has a stored method. */
export async function customerWithMethod(
  merchant: Merchant,
  customers: readonly string[],
): Promise<string | undefined> {
  for (const customer of customers) {
    const reply = await merchant.call('GET', `customers/${customer}/payment-methods`)
    if (reply?.status === 200 && reply.body.length > 0) return customer
  }
  return undefined
}

/** Opens the checkout of a new payment and pays with a stored method, if it shows one. */
export async function payWithStored(
  world: World,
  merchant: Merchant,
  body: object,
): Promise<readonly (Reply | undefined)[]> {
  const { dice } = world
  const created = await merchant.call('POST', 'payments/hosted-page', body)
  const page = String(created?.body?.redirectUrl ?? '').slice(PUBLIC_URL.length)
  if (!page.startsWith('/c/')) return [created]
  const shown = await world.anyNode().request('GET', page)
  const form = /name="attempt" value="([^"]+)"\/?><input type="hidden" name="saved" value="([^"]+)"/
  const [, attempt, saved] = form.exec(shown?.text ?? '') ?? []
  if (!attempt || !saved) return [created]
  if (dice.chance(0.7)) confirmOnce(world, 'charge')
  await submit(world, `${page}/pay`, { attempt, saved })
  await answerOrLeave(world, page)
  return [created, await merchant.call('GET', `payments/${created?.body.paymentId}`)]
}

async function submit(world: World, url: string, fields: Record<string, string>): Promise<Reply | undefined> {
  const body = new URLSearchParams(fields).toString()
  return world.anyNode().request('POST', url, { body, headers: { 'content-type': FORM } })
}

/** Half of the payers whom the bank asks leave, and do nothing more. */
async function answerOrLeave(world: World, page: string): Promise<void> {
  const { dice, provider, turnstile, counter } = world
  const shown = (await world.anyNode().request('GET', `${page}/challenge/1`))?.text ?? ''
  const [, challenge] = /data-url="([^"]+)"/.exec(shown) ?? []
  const [, attempt] = /name="attempt" value="([^"]+)"/.exec(shown) ?? []
  if (!challenge || !attempt) return
  noteAsked(world, challenge)
  if (dice.chance(0.5)) return
  if (dice.chance(0.5)) {
    await submit(world, `${page}/another-way`, { attempt })
    counter.count('act another way')
    return
  }
  const kind = dice.chance(0.7) ? 'pay' : 'decline'
  const visit = () => provider?.simulator.payer(challenge, { kind }).catch(() => undefined)
  const back = await turnstile.pass('customer', async () => visit())
  counter.count('act answered')
  if (back?.startsWith(PUBLIC_URL)) await world.anyNode().request('GET', back.slice(PUBLIC_URL.length))
}

const AFTER_LINK = `
  select payment_id from payments
  where state in ('Authorizing', 'SaleInProgress', 'Approved')
    and (pay_info ->> 'challengeUntil')::timestamptz > expiration_time`

/** The end of a challenge is looked at while it runs: afterwards it is gone. */
export async function watchChallenges(world: World): Promise<void> {
  const { provider } = world
  if (!provider?.challenge) return
  for (const { payment_id } of await rows<{ payment_id: string }>(world, AFTER_LINK))
    provider.happened.endAfterLink.add(payment_id)
}

/** Days later, payers come back to every page that asked them. */
export async function answerMuchLater(world: World): Promise<void> {
  const { provider } = world
  if (!provider) return
  const { simulator, happened } = provider
  for (const page of happened.challenges) {
    const known = simulator.allEntries().length
    await simulator.payer(page, { kind: 'pay' }).catch(() => undefined)
    if (simulator.allEntries().length > known) happened.answeredLate.push(page)
  }
}
