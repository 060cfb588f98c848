import { expect } from 'vitest'
import { startTestService } from '../../../support/tender.ts'
import { type Desk, pathOf } from './desk.ts'

const PASSWORD = 'seven green lanterns'

/** On an installation of its own, from the link that its first start prints. */
export async function setUp({ manner, guest }: Desk): Promise<void> {
  const name = `console_jobs_${manner.replace(' ', '_')}`
  const tender = await startTestService(name, { config: { production: false } })
  try {
    expect(tender.service.consoleUrl).toMatch(/\/console\/setup\?token=\w+$/)
    const hand = await guest(tender.service.consoleUrl)
    await hand.fill('Your name', 'Dana K.')
    await hand.fill('E-mail', 'dana@example.com')
    await hand.fill('Password', PASSWORD)
    await hand.press('Create account')
    await hand.page.waitForURL(/\/console\/[^/]+\/overview$/)
    await hand.press('Sign out')
    await hand.sees('You are signed out.')
    await hand.fill('E-mail', 'dana@example.com')
    await hand.fill('Password', PASSWORD)
    await hand.press('Sign in')
    await hand.page.waitForURL(/\/console\/[^/]+\/overview$/)
    await hand.page.close()
  } finally {
    await tender.stop()
  }
}

/** The link is passed on; the second person opens it, chooses a password and signs in. */
export async function invite({ manner, at, guest, world }: Desk): Promise<void> {
  const email = `${manner.replace(' ', '-')}@example.com`
  const owner = await at('team')
  await owner.press('Invite')
  const question = await owner.asked('Invite a person')
  await question.fill('E-mail', email)
  await question.pick('Role', 'Manager')
  await question.press('Invite')
  await owner.sees('Pass this link on')
  const link = (await owner.page.locator('.one-time-link code').textContent()) ?? ''

  const invited = await guest(link)
  await invited.sees(`You were invited as Manager, with the address ${email}.`)
  await invited.fill('Your name', 'Sam')
  await invited.fill('Password', PASSWORD)
  await invited.press('Create account')
  await invited.sees('Your account is ready. Please sign in.')
  await invited.fill('E-mail', email)
  await invited.fill('Password', PASSWORD)
  await invited.press('Sign in')
  await invited.page.waitForURL(/\/overview$/)
  expect(pathOf(invited.page)).toBe(`/console/${world.sandbox.appId}/overview`)
  expect((await guest(link)).page.url()).toContain('/join/')
  await (await guest(link)).sees('This link has expired or was used already')
}
