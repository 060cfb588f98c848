import type { Browser, Page } from 'playwright-core'
import { launch } from '../../support/browser.ts'
import { pause } from '../../support/service-process.ts'

const AWAY_MS = 1_000
/** What the address of the shop's own page has. */
const IN_SHOP = /paymentId=/

export const CARDS = {
  good: '4242 4242 4242 4242',
  challenge: '4000 0025 0000 3155',
  declined: '4000 0000 0000 9995',
  /** Approved with a risk score that the app's policy holds. */
  risky: '4000 0000 0000 9235',
} as const

/** A person at a browser. Each tab is opened with the cookies of this person. */
export interface Person {
  open(url: string): Promise<Page>
  /** Closes all tabs and forgets all cookies. */
  leave(): Promise<void>
  stop(): Promise<void>
}

export async function newPerson(): Promise<Person> {
  const browser: Browser = await launch()
  let context = await browser.newContext({ locale: 'en-GB' })
  return {
    async open(url) {
      const page = await context.newPage()
      page.setDefaultTimeout(300_000)
      await page.goto(url)
      return page
    },
    async leave() {
      await context.close()
      context = await browser.newContext({ locale: 'en-GB' })
    },
    stop: () => browser.close(),
  }
}

/** Types a card and presses the button, without waiting for the result. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const form = page.locator('form:visible')
  const type = (label: string, value: string) => form.getByLabel(label, { exact: true }).fill(value)
  await type('Card number', number)
  await type('Expiry', '11 / 31')
  await type('Security code', '987')
  await type('Name on card', 'Dana Doe')
}

export const pressPay = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^(Pay|Authorise)/ })
    .first()
    .click()

/** Presses the button, unless the page has said meanwhile that another tab pays: its button is off then. */
export const pressPayOrSeeNotice = (page: Page): Promise<void> =>
  Promise.race([pressPay(page), page.locator('#other-tab').waitFor()])

export async function payByCard(page: Page, number: string = CARDS.good): Promise<void> {
  await typeCard(page, number)
  await pressPay(page)
}

/** Enters the code in the frame of the payer's bank. */
export async function passChallenge(page: Page): Promise<void> {
  const bank = page.frameLocator('dialog iframe')
  await bank.getByLabel('Code from your bank').fill('654321')
  await bank.getByRole('button', { name: 'Confirm' }).click()
}

export async function payByBankAccount(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Bank account' }).check()
  const form = page.locator('form:visible')
  await form.getByLabel('Routing number', { exact: true }).fill('110000000')
  await form.getByLabel('Account number', { exact: true }).fill('000123456789')
  await form.getByLabel('Account holder', { exact: true }).fill('Dana Doe')
  await pressPay(page)
}

/**
 * Until the page says that it is paid, or the browser is back in the shop. A page that says that the service
 * is away asks to be refreshed.
 */
export async function seesPaid(page: Page): Promise<void> {
  const heading = (name: RegExp) => page.getByRole('heading', { level: 1, name })
  const away = heading(/^We will be right back/)
  for (;;) {
    const paid = heading(/^(Payment received|Payment authorised)/)
    await Promise.race([paid.or(away).first().waitFor(), page.waitForURL(IN_SHOP).catch(orGoOn)])
    if (await away.isVisible()) {
      await pause(AWAY_MS)
      await page.reload()
    } else if ((await paid.isVisible()) || IN_SHOP.test(page.url())) return
  }
}

/** A navigation that another one took over: of the bank's answer and of the page that waits for it. */
function orGoOn(error: unknown): void {
  if (!String(error).includes('net::ERR_ABORTED')) throw error
}
