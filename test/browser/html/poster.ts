import type { Asked, Lang, PageClient, Seen } from './client.ts'
import { bodyOf, type Filling, type Form, formsOf, isTyped, shapeOf } from './forms.ts'

/** A page whose forms are sent. */
export interface FormPage {
  readonly name: string
  readonly path: string
  readonly cookie?: string
}

export interface Poster {
  /** Sends every form in which a person types, filled in wrongly, and writes what comes back. */
  refuse(area: string, pages: readonly FormPage[], lang: Lang): Promise<void>
  /** Sends every form as it is, those that end something last. */
  send(area: string, pages: readonly FormPage[]): Promise<void>
}

/** Forms that leave nothing to do in the background. */
const WITHOUT_WORK = /settings|team|fraud|routing|providers|profile|keys|system|sign-in|forgot|views/

const WRONG: readonly Filling[] = ['empty', 'bad', 'long']

/** In this order, after all others: each takes something away that others need. */
const LAST = [
  /test-tools/,
  /block$|disable$|\/(?:remove|stop|reset|revoke|rotate|disconnect|delete)(?:$|\?)/,
  /second-factor|passkey|password|sessions/,
  /erase$/,
  /leave$|danger/,
  /sign-out/,
]
const rankOf = (action: string): number => LAST.findLastIndex((pattern) => pattern.test(action))

interface Found {
  readonly page: FormPage
  readonly form: Form
  readonly shape: string
}

export function createPoster(client: PageClient, settle: () => Promise<void>): Poster {
  const asked = ({ path, cookie }: FormPage, lang: Lang): Asked => ({
    path,
    lang,
    ...(cookie !== undefined && { cookie }),
  })
  const formsAt = async (page: FormPage, lang: Lang): Promise<Found[]> => {
    const { html, location = page.path } = await client.see(asked(page, lang))
    return formsOf(html, location).map((form) => ({ page, form, shape: shapeOf(form) }))
  }

  /** Each form once, on the first page that has it. */
  async function findForms(pages: readonly FormPage[], lang: Lang): Promise<Found[]> {
    const found = new Map<string, Found>()
    for (const page of pages)
      for (const one of await formsAt(page, lang)) if (!found.has(one.shape)) found.set(one.shape, one)
    return [...found.values()].sort((a, b) => rankOf(a.form.action) - rankOf(b.form.action))
  }

  /** With the form id of now; undefined when the page no longer has the form. */
  async function post(
    { page, shape }: Found,
    lang: Lang,
    filling: Filling,
    nth = 0,
  ): Promise<Seen | undefined> {
    const current = (await formsAt(page, lang)).find((one) => one.shape === shape)
    if (!current) return undefined
    const { action, buttons } = current.form
    const path = new URL(action, new URL(page.path, client.origin)).href.slice(client.origin.length)
    const body = bodyOf(current.form, filling, buttons[nth])
    const seen = await client.see({ ...asked(page, lang), path, body })
    if (seen.location !== undefined && !WITHOUT_WORK.test(path)) await settle()
    return seen
  }

  const GONE: Seen = { status: 0, html: '', location: undefined, text: 'The page no longer has the form.' }
  const save = async (name: string, seen = GONE) => client.save(name, seen)

  return {
    async refuse(area, pages, lang) {
      const forms = (await findForms(pages, lang)).filter(({ form }) => isTyped(form))
      for (const [name, found] of named(area, forms))
        for (const filling of WRONG) await save(`${name}-${filling}`, await post(found, lang, filling))
    },
    async send(area, pages) {
      for (const [name, found] of named(area, await findForms(pages, 'en')))
        for (const nth of found.form.buttons.length > 1 ? found.form.buttons.keys() : [0])
          await save(`${name}-sent-${nth}`, await post(found, 'en', 'as-is', nth))
    },
  }
}

/** Each form by the page that has it and by its address without ids. */
function named(area: string, forms: readonly Found[]): [string, Found][] {
  const used = new Map<string, number>()
  return forms.map((found) => {
    const words = (found.form.action.split('?')[0] ?? '').split('/').filter((part) => /^[a-z-]+$/.test(part))
    const name = `${area}/${found.page.name}/${words.slice(-3).join('-')}`
    const count = (used.get(name) ?? 0) + 1
    used.set(name, count)
    return [count > 1 ? `${name}-${count}` : name, found]
  })
}
