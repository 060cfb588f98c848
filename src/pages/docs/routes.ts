import { type FixedContent, fixedContent } from '../../http/content/fixed.ts'
import type { OpenApiDocument } from '../../http/openapi.ts'
import { type Route, route } from '../../http/route.ts'
import type { TestValues } from '../../reference/sheet.ts'
import { plainAsset } from '../assets.ts'
import { readDocument } from './document.ts'
import type { AssetPaths } from './layout.tsx'
import { llmsFull, llmsIndex } from './llms.ts'
import { referencePage } from './reference.tsx'
import { errorsPage, statesPage, testValuesPage } from './topics.tsx'

export interface DocsOptions {
  /** Describes the whole service. Called on the first request, when every route is registered. */
  readonly describe: () => OpenApiDocument
  /** The folder of style sheets and scripts. */
  readonly assets: URL
  readonly testValues: TestValues
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
} as const

const common = { method: 'GET', tag: 'Pages', auth: 'none', hidden: true } as const

/** The documentation, served by the service that it documents. */
export function docsRoutes({ describe, assets, testValues }: DocsOptions): Route[] {
  const style = plainAsset(assets, 'docs.css')
  const script = plainAsset(assets, 'docs.js')
  const paths: AssetPaths = { style: style.path, script: script.path }
  return [
    style.route,
    script.route,
    page('/docs', 'The API reference', () => referencePage(paths, readDocument(describe()))),
    page('/docs/errors', 'Every error', () => errorsPage(paths)),
    page('/docs/payment-states', 'Every state of a payment', () => statesPage(paths)),
    page('/docs/test-values', 'What to type in a sandbox', () => testValuesPage(paths, testValues)),
    page('/llms.txt', 'The index for language models', () => llmsIndex(readDocument(describe())), TEXT),
    page(
      '/llms-full.txt',
      'The documentation as text',
      () => llmsFull(readDocument(describe()), testValues),
      TEXT,
    ),
  ]
}

const HTML = 'text/html; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

function page(path: string, summary: string, render: () => string, contentType = HTML): Route {
  let content: FixedContent | undefined
  return route({
    ...common,
    path,
    summary,
    status: 200,
    contentType,
    handler: (_caller, call) => {
      content ??= fixedContent(render())
      call.reply.headers(HEADERS)
      return content.answer(call)
    },
  })
}
