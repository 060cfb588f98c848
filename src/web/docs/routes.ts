import type { OpenApiDocument } from '../../http/openapi.ts'
import type { Route } from '../../http/route.ts'
import type { TestValues } from '../../reference/sheet.ts'
import { plainAsset } from '../kit/assets/assets.ts'
import { readDocument } from './document.ts'
import type { AssetPaths } from './layout.tsx'
import { llmsFull, llmsIndex } from './llms.ts'
import { docsRoute, PLAIN } from './page.ts'
import { referencePage } from './reference.tsx'
import { type FindApps, samplesRoute } from './samples/routes.tsx'
import { searchRoute } from './search/routes.ts'
import { siteRoutes } from './site/routes.ts'
import { errorsPage, statesPage, testValuesPage } from './topics.tsx'

export interface DocsOptions {
  /** Describes the whole service. Called on the first request, when every route is registered. */
  readonly describe: () => OpenApiDocument
  /** The folder of the project or of the installed package, with documents, style sheet and script. */
  readonly root: URL
  readonly testValues: TestValues
  /** The apps whose ids the samples may show to the sender of these headers. */
  readonly appsOf?: FindApps
}

/** The documentation, served by the service that it documents. */
export function docsRoutes({ describe, root, testValues, appsOf }: DocsOptions): Route[] {
  const assets = new URL('src/web/assets/', root)
  const style = plainAsset(assets, 'docs.css')
  const script = plainAsset(assets, 'docs.js')
  const paths: AssetPaths = { style: style.path, script: script.path }
  const document = () => readDocument(describe())
  return [
    style.route,
    script.route,
    docsRoute('/docs', 'The API reference', () => referencePage(paths, document())),
    docsRoute('/docs/errors', 'Every error', () => errorsPage(paths)),
    docsRoute('/docs/payment-states', 'Every state of a payment', () => statesPage(paths)),
    docsRoute('/docs/test-values', 'What to type in a sandbox', () => testValuesPage(paths, testValues)),
    ...siteRoutes(paths, root),
    samplesRoute({ assets: paths, root, document, ...(appsOf && { appsOf }) }),
    searchRoute(paths, root, document),
    docsRoute('/llms.txt', 'The index for language models', () => llmsIndex(document()), PLAIN),
    docsRoute('/llms-full.txt', 'The documentation as text', () => llmsFull(document(), testValues), PLAIN),
  ]
}
