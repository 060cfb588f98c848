import { DAY, SECOND } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { queueMail } from '../mail/queue.ts'
import { takeUnannouncedKeys, type UnannouncedKey, unannouncedKeysDue } from './keys-store.ts'

const BATCH = 100
/** Keys from before the mail server was set up are old news. */
const NEWS_MS = DAY

/** Tells people of API keys that were made in their names. */
export const keysJob = (ctx: Context): Job => ({
  name: 'key e-mails',
  everyMs: 5 * SECOND,
  due: [unannouncedKeysDue],
  async runOnce() {
    const now = ctx.clock.now()
    const keys = await ctx.db.transaction(async (tx) => {
      const taken = await takeUnannouncedKeys(tx, now, BATCH)
      for (const key of taken) {
        const isNews = now.getTime() - key.createdTime.getTime() < NEWS_MS
        if (key.email && isNews)
          await queueMail(ctx, tx, occasionOf(key, key.email), {
            kind: 'access-added',
            data: dataOf(ctx, key),
          })
      }
      return taken
    })
    return keys.length
  },
})

/** It is about a person, so it belongs to the installation. */
const occasionOf = ({ keyId, language }: UnannouncedKey, to: string) => ({
  appId: '',
  mailId: `access:api-key:${keyId}`,
  to,
  locale: language,
})

const dataOf = ({ config }: Context, { name, hint, app, createdTime }: UnannouncedKey) => ({
  what: 'api-key' as const,
  name: `${name} (…${hint})`,
  business: app,
  by: null,
  time: createdTime.toISOString(),
  address: null,
  url: config.publicUrl + CONSOLE_PAGES.profile,
})
