import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

/**
 * Debian's Chromium, or whichever CHROMIUM_PATH names. Without one the browser tests are skipped, and said
 * so. The shell without windows is the same engine; it opens a page in a quarter of the CPU time.
 */
const PATHS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
]
export const chromiumPath = PATHS.find((path) => path !== undefined && existsSync(path))

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? '', args: FLAGS })

/** A browser window that notes everything a page must not do. */
export interface Watched {
  readonly context: BrowserContext
  readonly page: Page
  /** Violations of the content security policy, script errors, requests to other hosts. */
  readonly faults: string[]
  /** The HTML of every page that was looked at, and every address that was asked for. */
  readonly seen: string[]
  close(): Promise<void>
}

export async function openWindow(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  // Only against pages that hang.
  context.setDefaultTimeout(60_000)
  const faults: string[] = []
  const seen: string[] = []
  watch(context, { origin, faults, seen })
  const page = await context.newPage()
  return { context, page, faults, seen, close: () => context.close() }
}

interface Watching {
  readonly origin: string
  readonly faults: string[]
  readonly seen: string[]
}

function watch(context: BrowserContext, { origin, faults, seen }: Watching): void {
  context.on('console', (message) => {
    if (/Content.Security.Policy|Refused to/i.test(message.text())) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(String(error.error())))
  context.on('request', (request) => {
    seen.push(request.url())
    const { origin: host, protocol } = new URL(request.url())
    const isOther = protocol.startsWith('http') && host !== origin
    if (isOther && !request.isNavigationRequest()) faults.push(`asked ${host} for something`)
  })
  context.on('response', (response) => {
    if (!/text\/html|json/.test(response.headers()['content-type'] ?? '')) return
    response.text().then(
      (text) => seen.push(text),
      () => {},
    )
  })
}
