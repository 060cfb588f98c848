import { request } from 'undici'

/** Budgets of the pages; a kilobyte is 1,000 compressed bytes. */
export const BUDGETS = {
  checkout: { totalKb: 14, scriptKb: 4, requests: 4 },
  panel: { totalKb: 20, scriptKb: 4 },
  /** 390 pixels, 1.6 Mbit/s, 150 ms, a processor four times slower. */
  lcpMs: 1_200,
  cls: 0,
  inpMs: 100,
  /** Server time for the checkout's HTML. */
  serverP50Ms: 5,
  serverP99Ms: 20,
} as const

export interface Weight {
  readonly totalKb: number
  readonly scriptKb: number
  readonly files: Readonly<Record<string, number>>
}

interface Weighed {
  readonly url: string
  readonly cookie?: string
}

/** Compressed bytes of a first visit: the page and its assets. */
export async function weigh({ url, cookie }: Weighed): Promise<Weight> {
  const page = await fetched(url, cookie)
  const { origin } = new URL(url)
  const names = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
  const files: Record<string, number> = { html: page.bytes }
  for (const name of names) files[name] = (await fetched(origin + name)).bytes
  const sum = (wanted: (name: string) => boolean) =>
    Object.entries(files).reduce((total, [name, bytes]) => total + (wanted(name) ? bytes : 0), 0) / 1_000
  return {
    files,
    totalKb: sum((name) => !name.includes('/logos/')),
    scriptKb: sum((name) => name.endsWith('.js')),
  }
}

async function fetched(url: string, cookie = ''): Promise<{ bytes: number; text: string }> {
  const packed = await request(url, { headers: { 'accept-encoding': 'gzip', cookie } })
  const { byteLength } = await packed.body.arrayBuffer()
  const plain = await request(url, { headers: { cookie } })
  return { bytes: byteLength, text: await plain.body.text() }
}

export const budgetOf = (name: string): { readonly totalKb: number; readonly scriptKb: number } =>
  name.startsWith('panel') ? BUDGETS.panel : BUDGETS.checkout
