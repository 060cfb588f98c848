/** A browser without a screen: it keeps its cookie, follows nothing and sends forms as the page made them. */
export interface GuestBrowser {
  cookie: string
  get(path: string): Promise<GuestReply>
  /** With the form id of the overview, unless it is given as it is. */
  post(path: string, fields: Record<string, string>, options?: PostOptions): Promise<GuestReply>
  /** The id that a page's forms carry. */
  form(path: string): Promise<string>
}

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly asIs?: boolean
}

interface GuestReply {
  readonly status: number
  readonly location: string | null
  readonly headers: Headers
  readonly text: string
}

export function createGuestBrowser(origin: string): GuestBrowser {
  const send = async (path: string, init: RequestInit): Promise<GuestReply> => {
    const headers = { cookie: browser.cookie, 'sec-fetch-dest': 'document', ...init.headers }
    const reply = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' })
    const set = /panel=[^;]*/.exec(reply.headers.get('set-cookie') ?? '')?.[0]
    if (set) browser.cookie = set
    return {
      status: reply.status,
      location: reply.headers.get('location'),
      headers: reply.headers,
      text: await reply.text(),
    }
  }
  const browser: GuestBrowser = {
    cookie: '',
    get: (path) => send(path, {}),
    async form(path) {
      const { text, location } = await browser.get(path)
      if (location !== null) return browser.form(location)
      return /name="_?form" value="([^"]+)"/.exec(text)?.[1] ?? ''
    },
    async post(path, fields, { headers = {}, asIs = false } = {}) {
      const form = asIs || fields.token ? {} : { form: await browser.form('/p') }
      const body = new URLSearchParams({ ...form, ...fields })
      return send(path, { method: 'POST', body, headers })
    },
  }
  return browser
}
