import { tellVault } from '../notifications.ts'
import type { SetupRequest, TokenRequest } from '../schemas.ts'
import { notFound, tokenView, unprocessable } from '../views.ts'
import { type Call, newId, type Reply, type SetupToken, type World } from '../world.ts'

/** Setup tokens: a wallet that the payer agrees to store, without a payment. */

/** A setup token that was not used is forgotten after this time. */
const OPEN_MS = 3 * 86_400_000
export const APPROVAL_PAGE = '/agreements/approve'

export function createSetup({ world, body }: Call): () => Reply {
  const { experience_context: context } = (body as SetupRequest).payment_source.paypal
  const setup: SetupToken = {
    id: newId(),
    customerId: newId().slice(0, 10),
    pages: { returnUrl: context.return_url, cancelUrl: context.cancel_url },
    lapsesAt: world.now() + OPEN_MS,
    status: 'PAYER_ACTION_REQUIRED',
    declines: undefined,
    token: undefined,
  }
  world.setups.set(setup.id, setup)
  let status = 201
  return () => {
    const reply = { status, body: setupView(world, setup) }
    status = 200
    return reply
  }
}

export const findSetup = (world: World, id: string): SetupToken | undefined => {
  const setup = world.setups.get(id)
  return setup && setup.lapsesAt > world.now() ? setup : undefined
}

export function readSetup({ world, id }: Call): Reply {
  const setup = findSetup(world, id)
  return setup ? { status: 200, body: setupView(world, setup) } : notFound()
}

function setupView({ origin }: World, { id, customerId, status }: SetupToken) {
  const self = `${origin}/v3/vault/setup-tokens/${id}`
  const approve = `${origin}${APPROVAL_PAGE}?approval_session_id=${id}`
  const next =
    status === 'PAYER_ACTION_REQUIRED'
      ? { href: approve, rel: 'approve', method: 'GET' }
      : { href: `${origin}/v3/vault/payment-tokens`, rel: 'confirm', method: 'POST' }
  return {
    id,
    customer: { id: customerId },
    status,
    payment_source: { paypal: { usage_type: 'MERCHANT', permit_multiple_payment_tokens: true } },
    links: [{ href: self, rel: 'self', method: 'GET' }, next],
  }
}

/** Makes the payment token of an approved setup token, once. */
export function createToken({ world, body }: Call): Reply | (() => Reply) {
  const { id } = (body as TokenRequest).payment_source.token
  const setup = findSetup(world, id)
  if (!setup) return notFound()
  if (setup.status === 'PAYER_ACTION_REQUIRED') return unprocessable('SETUP_TOKEN_NOT_APPROVED')
  if (setup.declines !== undefined) return unprocessable(setup.declines)
  if (setup.token) return unprocessable('SETUP_TOKEN_ALREADY_USED')
  const token = { id: newId().toLowerCase(), customerId: setup.customerId, removed: false }
  setup.token = token
  setup.status = 'VAULTED'
  world.vault.set(token.id, token)
  tellVault(world, token, 'CREATED')
  let status = 201
  return () => {
    const reply = { status, body: tokenView(world, token) }
    status = 200
    return reply
  }
}
