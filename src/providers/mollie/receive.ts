import type { Received } from '../port.ts'

const LONGEST = 200

/**
 * A notification is `id=tr_…` and has no signature. It says that something about this payment changed, so all
 * that it can do is make us read the payment, if it is one of ours.
 */
export function received(rawBody: Uint8Array): Received {
  if (rawBody.byteLength > LONGEST) return { kind: 'forged' }
  const members = new URLSearchParams(Buffer.from(rawBody).toString('latin1'))
  const [id, ...more] = members.getAll('id')
  if (id === undefined || more.length > 0) return { kind: members.has(TEST) ? 'ignored' : 'forged' }
  if (/^tr_[A-Za-z0-9]{4,64}$/.test(id)) return { kind: 'events', hints: [{ lookup: id }] }
  // Orders, subscriptions and the like.
  return { kind: /^[a-z]{2,5}_[A-Za-z0-9]{1,64}$/.test(id) ? 'ignored' : 'forged' }
}

/** The member of a call that the dashboard sends to try the address. */
const TEST = 'testByMollie'
