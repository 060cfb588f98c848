import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type FixedContent, fixedContent } from '../../../http/content/fixed.ts'
import { type Route, route } from '../../../http/route.ts'
import { BUILT, buildAsset } from './build-asset.ts'

/** A style sheet or script with a content hash in its name, so browsers can cache it forever. */
export interface Asset {
  readonly path: string
  readonly content: FixedContent
  readonly route: Route
}

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

function asset(name: `${string}.${keyof typeof TYPES}`, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const path = `/assets/${name.replace('.', `.${hash}.`)}`
  const contentType = TYPES[name.endsWith('.css') ? 'css' : 'js']
  const content = fixedContent(text)
  return {
    path,
    content,
    route: route({
      method: 'GET',
      tag: 'Pages',
      auth: 'none',
      hidden: true,
      path,
      summary: name,
      status: 200,
      contentType,
      handler: (_caller, call) => {
        call.reply.header('cache-control', 'public, max-age=31536000, immutable')
        return content.answer(call)
      },
    }),
  }
}

/** Compresses assets after the service listens: neither the start nor the first request waits for it. */
export function prepareOnListen(app: FastifyInstance, assets: readonly Asset[]): void {
  app.addHook('onListen', async () => {
    await Promise.all(assets.map(({ content }) => content.prepare()))
  })
}

/** The file unchanged. */
export const plainAsset = (folder: URL, name: `${string}.${keyof typeof TYPES}`): Asset =>
  asset(name, readFileSync(new URL(name, folder), 'utf8'))

const built = new Map<string, string>()

/**
 * A style sheet or script with its imports. The installed package has it beside its source; in a checkout it
 * is built once, when the service starts.
 */
export function builtAsset(source: URL, name: `${string}.${keyof typeof TYPES}`): Asset {
  const entry = fileURLToPath(source)
  const text = built.get(entry) ?? prebuilt(entry) ?? buildAsset(entry)
  built.set(entry, text)
  return asset(name, text)
}

function prebuilt(entry: string): string | undefined {
  const path = `${entry}${BUILT}`
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Style sheet and script of the checkout and the panel. */
export interface PageAssets {
  readonly style: Asset
  readonly script: Asset
}

export const checkoutAssets = (folder: URL): PageAssets => ({
  style: builtAsset(new URL('checkout.css', folder), 'checkout.css'),
  script: builtAsset(new URL('../client/checkout.ts', folder), 'checkout.js'),
})
