import { assert } from '../base/assert.ts'
import type { Context } from '../context.ts'
import { insertKeyIfAbsent, selectInstallationKey } from './hash-keys-store.ts'

// Hashes of unsubscribed addresses, and links in e-mails that were sent, are compared for years. Their keys
// are stored, sealed, so that they survive a change of SECRET_KEY.

const PURPOSES = ['mail-opt-out', 'mail-unsubscribe'] as const
type MailKeyPurpose = (typeof PURPOSES)[number]

type Ctx = Pick<Context, 'db' | 'vault'>

/** Stores the keys that are not stored yet: those that earlier versions derived for each use. */
export async function storeMailKeys({ db, vault }: Ctx): Promise<void> {
  for (const purpose of PURPOSES) {
    const keys = vault.deriveAll(purpose).map((key) => Buffer.from(key).toString('base64'))
    await insertKeyIfAbsent(db, purpose, vault.seal(JSON.stringify(keys)))
  }
}

/** Whether the service has started before. */
export const hasMailKeys = async ({ db }: Pick<Ctx, 'db'>): Promise<boolean> =>
  (await selectInstallationKey(db, PURPOSES[0])) !== undefined

/** The first makes hashes, all of them are compared. */
export async function mailKeys(ctx: Ctx, purpose: MailKeyPurpose): Promise<readonly [Buffer, ...Buffer[]]> {
  const known = await selectInstallationKey(ctx.db, purpose)
  if (!known) await storeMailKeys(ctx)
  const sealed = known ?? (await selectInstallationKey(ctx.db, purpose))
  assert(sealed, 'the keys were just stored')
  const texts = JSON.parse(ctx.vault.open(sealed)) as readonly string[]
  const [first, ...others] = texts.map((text) => Buffer.from(text, 'base64'))
  assert(first, 'a vault has a key')
  return [first, ...others]
}
