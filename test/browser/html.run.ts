import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { jobsOf } from '../../src/app.ts'
import { parseRanges } from '../../src/base/addresses.ts'
import { after, systemClock } from '../../src/base/clock.ts'
import type { Job } from '../../src/jobs/loop.ts'
import { senderOf } from '../../src/webhooks/delivery/sender.ts'
import { startTestConsole, type TestConsole } from '../support/console.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type ConsolePage, consoleGallery } from './console-gallery.ts'
import { seedConsole } from './console-seed.ts'
import { type Exhibit, gallery } from './gallery.ts'
import { createPageClient, type Lang, type PageClient } from './html/client.ts'
import { notePages } from './html/notes.ts'
import { createOrderedRandom } from './html/ordered-random.ts'
import { createPoster, type Poster } from './html/poster.ts'

/** Writes the HTML of every page, to compare two versions of the code: `npm run pages:html`. */

const FOLDER = process.env.PAGES_FOLDER ?? 'screenshots/html'
const LANGS: readonly Lang[] = ['en', 'de']
const NOW = new Date('2026-06-15T10:00:00.000Z')

let now = NOW
const clock = { ...systemClock, now: () => now }
let world: TestConsole
let receiver: Receiver
let pages: readonly ConsolePage[]
let notes: readonly ConsolePage[]
let exhibits: readonly Exhibit[]
let client: PageClient
let poster: Poster

/** Jobs without work while the clock stands still. */
const IDLE = /removal|retention|idempotency|panel|people|host-claims|erasures/
let jobs: readonly Job[] | undefined

/** No work is left: the next page does not depend on the pace of the machine. */
async function settle(): Promise<void> {
  const { ctx } = world.tender.service
  jobs ??= jobsOf(ctx, undefined).filter(({ name }) => !IDLE.test(name))
  for (let done = 1, round = 0; done > 0 && round < 20; round++) {
    done = await ctx.background.settled()
    for (const job of jobs) done += await job.runOnce()
    await senderOf(ctx).idle()
  }
}

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true })
  receiver = await startReceiver()
  // Jobs run in `settle` only.
  const config = { role: 'web', trustedProxies: parseRanges('127.0.0.1') ?? [] } as const
  const random = createOrderedRandom()
  world = await startTestConsole('pages_html', { clock, random, rateLimit: 100_000, config })
  client = createPageClient(world.origin, FOLDER)
  poster = createPoster(client, settle)
  const move = async (beforeNowMs: number) => {
    await settle()
    now = after(NOW, -beforeNowMs)
  }
  const seeded = await seedConsole(world, { move, webhookUrl: receiver.url })
  pages = consoleGallery(world, seeded)
  notes = notePages(`/console/${world.sandbox.appId}`, seeded)
  exhibits = await gallery(world)
  await settle()
}, 300_000)
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

const cookieOf = (role: keyof TestConsole['tokens']) => `console=${world.tokens[role]}`

async function write(name: string, path: string, lang: Lang, cookie = ''): Promise<void> {
  await client.save(name, await client.see({ path, lang, cookie }))
}

/** The pages of the other app, which has nothing yet. */
const ofLiveApp = (): ConsolePage[] => {
  const { sandbox, live } = world
  const own = pages.filter(({ path }) => /^\/console\/app_\w+\/[a-z-]+(?:\/[a-z-]+)?$/.test(path))
  return own.map(({ name, path }) => ({ name, path: path.replace(sandbox.appId, live.appId) }))
}

/** Parts of pages that a script loads. */
const PARTS = ['dock', 'overview/steps', 'payments/newer', 'developers/e-mails/preview'] as const

const OPEN = ['sign-in', 'forgot', 'setup', 'sign-in/code', 'profile', 'shortcuts'] as const

const asForms = (role: keyof TestConsole['tokens']) =>
  pages.map(({ name, path }) => ({ name, path, cookie: cookieOf(role) }))

const shown = () =>
  exhibits.map(({ name, url, cookie = '' }) => ({ name, path: url.replace(client.origin, ''), cookie }))

describe('writes', () => {
  it.each(LANGS)('every page of the console: %s', async (lang) => {
    for (const { name, path } of pages) await write(`console/${lang}/${name}`, path, lang, cookieOf('Owner'))
    for (const part of PARTS)
      await write(
        `console/${lang}/${part}`,
        `/console/${world.sandbox.appId}/${part}`,
        lang,
        cookieOf('Owner'),
      )
    for (const { name, path } of notes) await write(`notes/${lang}/${name}`, path, lang, cookieOf('Owner'))
    for (const name of OPEN) await write(`console-open/${lang}/${name}`, `/console/${name}`, lang)
    for (const { name, path } of ofLiveApp())
      await write(`console-live/${lang}/${name}`, path, lang, cookieOf('Owner'))
  })

  it.each(['Support', 'Viewer'] as const)('every page of the console for %s', async (role) => {
    for (const { name, path } of pages) await write(`console-${role}/${name}`, path, 'en', cookieOf(role))
  })

  it.each(LANGS)('every page for payers and customers: %s', async (lang) => {
    for (const { name, path, cookie } of shown()) await write(`pages/${lang}/${name}`, path, lang, cookie)
  })

  it('every page of the documentation', async () => {
    const paths = ['/docs', '/llms.txt', '/llms-full.txt']
    for (const path of paths) {
      const seen = await client.see({ path })
      await client.save(`docs/${path}`, seen)
      for (const [, link = ''] of seen.html.matchAll(/href="(\/docs[^"#?]*)/g))
        if (!paths.includes(link)) paths.push(link)
    }
  })

  it.each(LANGS)('forms that are refused: %s', async (lang) => {
    const open = OPEN.map((name) => ({ name, path: `/console/${name}` }))
    await poster.refuse(`refused/${lang}/open`, open, lang)
    await poster.refuse(`refused/${lang}/pages`, shown(), lang)
    await poster.refuse(`refused/${lang}/console`, asForms('Owner'), lang)
  })

  it('forms that are sent as they are', async () => {
    await poster.send('sent/pages', shown())
    await poster.send('sent/console', asForms('Owner'))
  })
})
