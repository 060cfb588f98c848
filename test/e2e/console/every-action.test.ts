import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeServer } from '../../../src/app.ts'
import { consoleGallery } from '../../browser/console-gallery.ts'
import { seedConsole } from '../../browser/console-seed.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'

/** Every action of the console, derived from its routes, can be done without script and by keyboard. */

/** Forms that no page of the gallery has, because it is of another state. */
const OF_OTHER_STATES = new Set([
  // Before the set-up, before a sign-in, with a link that is valid, or with a password.
  ...['/console/setup', '/console/sign-in/code', '/console/sign-in/code/passkey', '/console/join/{token}'],
  ...['/console/reset-password/{token}', '/console/restore/{token}', '/console/forgot'],
  ...['/console/reset-second-factor/{token}', '/console/profile/proof'],
  // With a mail server.
  ...['/console/{appId}/links/{paymentId}/mail', '/console/system/test-mail'],
  // Of a kind of exception, and of a provider with reports.
  '/console/{appId}/payouts/exceptions/{exceptionId}/read',
  '/console/{appId}/payouts/exceptions/{exceptionId}/accept',
  ...[
    '/console/{appId}/payouts/sources/{profileId}/off',
    '/console/{appId}/payouts/sources/{profileId}/read',
  ],
  // While webhooks are delayed, a schedule rests, or a file is not finished.
  '/console/{appId}/developers/test-tools/end-hold',
  '/console/{appId}/exports/schedules/{scheduleId}/resume',
  '/console/{appId}/exports/{exportId}/cancel',
  '/console/{appId}/exports/imports/{importId}/cancel',
  // With a second session, and of a member who is disabled.
  ...['/console/profile/sessions/end', '/console/{appId}/team/members/{personId}/enable'],
])

interface Page {
  readonly name: string
  readonly html: string
}

let world: TestConsole
let receiver: Receiver
const pages: Page[] = []
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startTestConsole('console_every_action', { rateLimit: 1_000 })
  const seeded = await seedConsole(world, { webhookUrl: receiver.url })
  for (const { name, path } of consoleGallery(world, seeded))
    pages.push({ name, html: (await world.get('Owner', path)).html })
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

interface FormOfPage {
  readonly attributes: string
  readonly content: string
}

const formsIn = (html: string): FormOfPage[] =>
  [...html.matchAll(/<form\b((?:[^>"]|"[^"]*")*)>([\s\S]*?)<\/form>/g)].map(
    ([, attributes = '', content = '']) => ({
      attributes,
      content,
    }),
  )
const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll('&amp;', '&')
const has = (attributes: string, name: string): boolean =>
  new RegExp(`(?:^|\\s)${name}(?=[\\s=/]|$)`).test(attributes)
const buttonsIn = (html: string): string[] =>
  [...html.matchAll(/<button\b((?:[^>"]|"[^"]*")*)>/g)].map(([, attributes = '']) => attributes)

/** Where the buttons of a form lead: its own address, or one of the button. */
function actionsOf({ attributes, content }: FormOfPage): string[] {
  if (attributeOf(attributes, 'method') !== 'post') return []
  const own = attributeOf(attributes, 'action') ?? ''
  return buttonsIn(content).map((button) => attributeOf(button, 'formaction') ?? own)
}

it('every change has a form on a page', () => {
  const posted = new Set(
    pages.flatMap(({ html }) => formsIn(html).flatMap(actionsOf)).map((path) => path.split('?')[0] ?? ''),
  )
  const { sharedLimits: _, ...ctx } = world.tender.service.ctx
  const missing = composeServer(ctx, undefined)
    .routes()
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/console/'))
    .map(({ path }) => path)
    .filter((path) => !OF_OTHER_STATES.has(path))
    .filter((path) => {
      const shape = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return ![...posted].some((one) => shape.test(one))
    })
  expect(missing).toEqual([])
})

/** The search in the top bar has one field, so Enter sends it. Dragging has buttons beside it. */
const NEEDS_NO_BUTTON = /class="(?:find|drag-form)"/

it('every form has a button that sends it', () => {
  const wrong = pages.flatMap(({ name, html }) =>
    formsIn(html)
      .filter(({ attributes, content }) => {
        if (NEEDS_NO_BUTTON.test(attributes)) return false
        const id = attributeOf(attributes, 'id')
        const elsewhere = buttonsIn(html).filter((button) => id && attributeOf(button, 'form') === id)
        return ![...buttonsIn(content), ...elsewhere].some(
          (button) => !has(button, 'hidden') && attributeOf(button, 'type') !== 'button',
        )
      })
      .map(({ attributes }) => `${name}: ${attributes}`),
  )
  expect(wrong).toEqual([])
})

it('a button that only a script handles is hidden without one', () => {
  const wrong = pages.flatMap(({ name, html }) =>
    // The dock is hidden as a whole.
    buttonsIn(html.replace(/<aside [^>]*data-dock=[^>]* hidden[\s\S]*?<\/aside>/, ''))
      .filter((button) => attributeOf(button, 'type') === 'button')
      .filter((button) => !has(button, 'hidden') && !has(button, 'disabled'))
      .map((button) => `${name}: ${button}`),
  )
  expect(wrong).toEqual([])
})

/** What only a mouse reaches, or what Tab reaches in another order than that of the page. */
const NOT_BY_KEYBOARD = [
  / on[a-z]+="/g,
  // Hidden from readers too: it is only what Enter presses.
  /<(?:button|input|select|textarea|summary)\b(?![^>]*aria-hidden)[^>]* tabindex="-1"/g,
  / tabindex="[1-9]/g,
  /<a(?=[\s>])(?![^>]* href=)[^>]*>/g,
  /<(?:div|span|td|tr|li)\b[^>]* role="(?:button|link|checkbox|switch)"/g,
]

it('nothing is for a mouse alone, and the order of Tab is that of the page', () => {
  const wrong = pages.flatMap(({ name, html }) => {
    // Values are not markup.
    const markup = html.replaceAll(/="[^"]*>[^"]*"/g, '=""')
    return NOT_BY_KEYBOARD.flatMap((pattern) =>
      [...markup.matchAll(pattern)].map(([text]) => `${name}: ${text.slice(0, 200)}`),
    )
  })
  expect(wrong).toEqual([])
})
