import { systemClock } from './base/clock.ts'
import { systemRandom } from './base/ids.ts'
import { StartError } from './base/start-error.ts'
import { type Config, loadConfig } from './config.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { findRunning } from './db/embedded/running.ts'
import { openDatabase } from './db/pool.ts'
import { reachServer } from './db/reach.ts'
import { readEmail } from './people/accounts/email.ts'
import { createOwnerRestore } from './people/members/resets.ts'

/** Who ran the command, for the audit log. */
const OPERATOR = { kind: 'operator', id: 'operator', name: 'operator', address: '', requestId: '' } as const

/**
 * Creates a one-time link with which an owner chooses a new password; it also removes the second factor,
 * passkeys and identities. The service may be running or not. Returns the address of the link.
 */
export async function restoreOwner(
  environment: Parameters<typeof loadConfig>[0],
  text: string,
): Promise<string> {
  const email = readEmail(text)
  if (!email) throw new StartError(`${JSON.stringify(text)} is not an e-mail address.`)
  const config = await loadConfig(environment)
  const { url, stop } = await openServer(config)
  const db = openDatabase({ url, size: 1 })
  try {
    const ctx = { db, clock: systemClock, random: systemRandom, config, actor: OPERATOR }
    return (await createOwnerRestore(ctx, email)).url
  } finally {
    await db.close()
    await stop()
  }
}

async function openServer({ databaseUrl, dataDir }: Config) {
  const address = databaseUrl ? await reachServer(databaseUrl.reveal()) : await findRunning(dataDir)
  return address === undefined ? startEmbedded({ dataDir }) : { url: address, stop: async () => {} }
}
