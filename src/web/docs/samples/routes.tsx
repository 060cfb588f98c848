import { Type } from 'typebox'
import { type Call, type Route, route } from '../../../http/route.ts'
import type { ApiDocument } from '../document.ts'
import type { AssetPaths } from '../layout.tsx'
import { DOCS_COMMON, DOCS_HEADERS, HTML } from '../page.ts'
import { SAMPLES_PAGE } from '../site/contents.ts'
import { guideHtml, renderDocument } from '../site/guide-page.tsx'
import type { RenderedPage } from '../site/markdown.ts'
import { fillIds } from './ids.ts'

/** An app whose ids the samples have. */
export interface SampleApp {
  readonly appId: string
  readonly name: string
  readonly currency?: string
}

export type FindApps = (headers: Call['headers']) => Promise<readonly SampleApp[]>

export interface SamplesOptions {
  readonly assets: AssetPaths
  readonly root: URL
  readonly document: () => ApiDocument
  readonly appsOf?: FindApps
}

/** The samples, with the address of this service and the ids of the reader's app. */
export function samplesRoute({ assets, root, document, appsOf }: SamplesOptions): Route {
  let rendered: Promise<RenderedPage> | undefined
  return route({
    ...DOCS_COMMON,
    path: SAMPLES_PAGE.path,
    summary: SAMPLES_PAGE.title,
    status: 200,
    contentType: HTML,
    query: Type.Object({ app: Type.Optional(Type.String()) }),
    handler: async (_caller, { query, headers, reply }) => {
      rendered ??= renderDocument(root, SAMPLES_PAGE)
      const samples = await rendered
      const apps = (await appsOf?.(headers)) ?? []
      const app = apps.find(({ appId }) => appId === query.app) ?? apps[0]
      reply.headers(DOCS_HEADERS).header('cache-control', 'private, no-cache')
      const url = document().servers[0]?.url
      const { appId, currency } = app ?? {}
      const html = fillIds(samples.html, {
        ...(url && { url }),
        ...(appId && { appId }),
        ...(currency && { currency }),
      })
      return guideHtml(assets, SAMPLES_PAGE, { ...samples, html }, <Picker apps={apps} app={app} />)
    },
  })
}

function Picker({ apps, app }: { readonly apps: readonly SampleApp[]; readonly app: SampleApp | undefined }) {
  if (!app)
    return (
      <p class="muted">
        <a href="/console">Sign in to the console</a> to see the samples with the id of your app.
      </p>
    )
  return (
    <form class="picker" method="get">
      <label>
        App
        <select name="app">
          {apps.map(({ appId, name }) => (
            <option value={appId} selected={appId === app.appId}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show its id</button>
    </form>
  )
}
