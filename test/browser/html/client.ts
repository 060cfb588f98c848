import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { normalised } from './normal.ts'

export type Lang = 'en' | 'de'

export interface Asked {
  readonly path: string
  readonly lang?: Lang
  readonly cookie?: string
  readonly body?: URLSearchParams | FormData
}

export interface Seen {
  readonly status: number
  readonly html: string
  /** Where the last redirect led, if there was one. */
  readonly location: string | undefined
  /** What is written: every step with its headers and its body. */
  readonly text: string
}

export interface PageClient {
  readonly origin: string
  see(asked: Asked): Promise<Seen>
  /** Writes what was seen under this name. */
  save(name: string, seen: Seen): Promise<void>
}

/** Headers that are compared; the others repeat the status or depend on the run. */
const HEADERS = ['location', 'content-type', 'content-security-policy', 'cache-control', 'x-frame-options']
const MAX_REDIRECTS = 5

/** Gets and posts like a browser without scripts, and writes the answers with stable replacements. */
export function createPageClient(origin: string, folder: string): PageClient {
  let requests = 0
  const written = new Set<string>()
  const send = (path: string, { lang = 'en', cookie = '', body }: Omit<Asked, 'path'>) => {
    // Every request has a client of its own: the limits of one would be met, as the clock stands still.
    const count = ++requests
    const headers = {
      cookie,
      'accept-language': lang,
      'sec-fetch-dest': 'document',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'x-forwarded-for': `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`,
    }
    const init = body === undefined ? {} : { method: 'POST', body }
    return fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' })
  }

  async function see({ path, body, cookie, ...asked }: Asked): Promise<Seen> {
    const parts: string[] = []
    let location: string | undefined
    let jar = cookie ?? ''
    for (let step = 0, at = path; ; step++) {
      const isPost = step === 0 && body !== undefined
      const reply = await send(at, { ...asked, cookie: jar, ...(isPost && { body }) })
      const html = await reply.text()
      jar = withCookies(jar, reply.headers.getSetCookie())
      parts.push(stepText(`${isPost ? 'POST' : 'GET'} ${at}`, reply, html))
      const to = reply.headers.get('location')
      const next = to === null ? undefined : new URL(to, new URL(at, origin))
      if (next?.origin !== origin || step === MAX_REDIRECTS)
        return { status: reply.status, html, location, text: parts.join('\n') }
      location = at = next.href.slice(origin.length)
    }
  }

  return {
    origin,
    see,
    async save(name, { text }) {
      const file = `${name.replaceAll(/[^\w/.-]+/g, '-').slice(0, 180)}.html`
      if (written.has(file)) throw new Error(`${file} is written twice`)
      written.add(file)
      const path = join(folder, file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, normalised(text, origin))
    },
  }
}

const stepText = (request: string, { status, headers }: Response, html: string): string =>
  [
    request,
    String(status),
    ...HEADERS.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])),
    ...headers.getSetCookie().map((cookie) => `set-cookie: ${cookie.replace(/=[^;]*/, '=…')}`),
    // One tag on each line, so that a comparison shows the tag.
    html.replaceAll('<', '\n<'),
    '',
  ].join('\n')

/** The cookies after an answer that sets or removes some. */
function withCookies(jar: string, set: readonly string[]): string {
  const cookies = new Map(
    jar
      .split('; ')
      .filter(Boolean)
      .map((text) => pairOf(text)),
  )
  for (const text of set) cookies.set(...pairOf(text.split(';')[0] ?? ''))
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

const pairOf = (text: string): [string, string] => {
  const [name = '', ...value] = text.split('=')
  return [name, value.join('=')]
}
