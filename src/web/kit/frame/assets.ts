import type { FastifyInstance } from 'fastify'
import { type Asset, builtAsset, prepareOnListen } from '../assets/assets.ts'

export interface ConsoleAssets {
  readonly style: Asset
  readonly script: Asset
}

/** `folder` is src/web/console/, also for a bundled service. */
export function consoleAssets(app: FastifyInstance, folder: URL): ConsoleAssets {
  const assets = {
    style: builtAsset(new URL('assets/console.css', folder), 'console.css'),
    script: builtAsset(new URL('client/console.ts', folder), 'console.js'),
  }
  prepareOnListen(app, [assets.style, assets.script])
  return assets
}
