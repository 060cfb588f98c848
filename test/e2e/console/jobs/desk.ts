import type { Browser, Page } from 'playwright-core'
import { type Clock, systemClock } from '../../../../src/base/clock.ts'
import type { Role } from '../../../../src/people/access/roles.ts'
import { createStripeSimulator, type StripeSimulator } from '../../../providers/stripe/simulator.ts'
import { launch, openWindow, type Watched } from '../../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../../support/console.ts'
import { type Hand, handAt } from '../../../support/hand.ts'
import type { Manner } from '../../../support/pages.ts'
import { type Receiver, startReceiver } from '../../../support/receiver.ts'

/** One service, one browser, a provider and a shop, for all jobs. */
export interface Office {
  readonly world: TestConsole
  readonly browser: Browser
  readonly stripe: StripeSimulator
  readonly receiver: Receiver
  readonly clock: StoppableClock
  close(): Promise<void>
}

/** Real time, which a job can stop, so that a code from an authenticator app stays valid. */
interface StoppableClock extends Clock {
  stop(): Date
  goOn(): void
}

function stoppableClock(): StoppableClock {
  let stopped: Date | undefined
  return {
    ...systemClock,
    now: () => stopped ?? systemClock.now(),
    stop() {
      stopped = systemClock.now()
      return stopped
    },
    goOn() {
      stopped = undefined
    },
  }
}

export async function openOffice(): Promise<Office> {
  const [stripe, receiver, browser] = await Promise.all([createStripeSimulator(), startReceiver(), launch()])
  const clock = stoppableClock()
  const config = { providerOrigins: { stripe: stripe.origin } }
  const world = await startTestConsole('console_jobs', { clock, config })
  return {
    ...{ world, browser, stripe, receiver, clock },
    async close() {
      await browser.close()
      await world.stop()
      await receiver.stop()
      await stripe.close()
    },
  }
}

/** Where one person does one job in one manner. */
export interface Desk extends Office {
  readonly manner: Manner
  /** A page of the sandbox app, or of the console where the path begins with a slash. */
  at(path: string, role?: Role): Promise<Hand>
  /** The window of a person who is not signed in, perhaps of another installation. */
  guest(url: string): Promise<Hand>
}

export type Job = (desk: Desk) => Promise<void>

/** Does the job. No page may do what it must not: no script error, no violation of the content policy. */
export async function doJob(office: Office, manner: Manner, job: Job): Promise<string[]> {
  const windows: Watched[] = []
  const javaScriptEnabled = manner !== 'no script'
  const sit = async (window: Watched, url: string): Promise<Hand> => {
    windows.push(window)
    await window.page.goto(url)
    return handAt(window.page, manner)
  }
  const { world, browser } = office
  try {
    await job({
      ...office,
      manner,
      async at(path, role = 'Owner') {
        const base = path.startsWith('/') ? world.origin : `${world.origin}/console/${world.sandbox.appId}/`
        return sit(await world.open(browser, role, { javaScriptEnabled }), base + path)
      },
      guest: async (url) => sit(await openWindow(browser, new URL(url).origin, { javaScriptEnabled }), url),
    })
    return windows.flatMap(({ faults }) => faults)
  } finally {
    await Promise.all(windows.map((window) => window.close()))
  }
}

export const pathOf = (page: Page): string => new URL(page.url()).pathname
