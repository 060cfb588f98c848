import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { notFound } from '../../../base/errors.ts'
import { type Route, route } from '../../../http/route.ts'
import type { AssetPaths } from '../layout.tsx'
import { docsRoute, PLAIN } from '../page.ts'
import { DOCUMENT_PAGES, markdownPath, SITE_TEXTS } from './contents.ts'
import { guidePage, guidesPage, readDocumentFile } from './guide-page.tsx'

/** Pages of the guides and references, each also as Markdown, and images. `root` holds the documents. */
export function siteRoutes(assets: AssetPaths, root: URL): Route[] {
  return [
    docsRoute('/docs/guides', 'The guides', () => guidesPage(assets)),
    ...DOCUMENT_PAGES.flatMap((page) => [
      ...(page.isGenerated || page.isOwn
        ? []
        : [docsRoute(page.path, page.title, () => guidePage(assets, root, page))]),
      docsRoute(markdownPath(page.file), page.title, () => readDocumentFile(root, page.file), PLAIN),
    ]),
    ...SITE_TEXTS.map(({ path, title, file }) =>
      docsRoute(path, title, () => readDocumentFile(root, file), PLAIN),
    ),
    imageRoute(root),
  ]
}

const IMAGE = /^[a-z0-9-]{1,60}\.(webp|svg)$/
/** A drawing has its own style for dark screens, and nothing that is loaded or run. */
const DRAWING = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

function imageRoute(root: URL): Route {
  return route({
    method: 'GET',
    tag: 'Pages',
    auth: 'none',
    hidden: true,
    path: '/docs/images/{image}',
    summary: 'An image of a guide',
    status: 200,
    contentType: 'image/webp',
    params: Type.Object({ image: Type.String() }),
    handler: async (_caller, { params: { image }, reply }) => {
      const bytes = IMAGE.test(image) ? await readImage(new URL(`docs/images/${image}`, root)) : undefined
      if (!bytes) throw notFound('The image')
      reply.header('cache-control', 'public, max-age=86400')
      if (image.endsWith('.svg')) reply.headers(DRAWING)
      return bytes
    },
  })
}

const readImage = (url: URL): Promise<Buffer | undefined> => readFile(url).catch(() => undefined)
