import { errorEntries } from '../../../reference/errors.ts'
import { type ApiDocument, operationsOf } from '../document.ts'
import { anchorOf } from '../prose.tsx'
import { DOCUMENT_PAGES, type DocumentPage } from '../site/contents.ts'
import { readDocumentFile } from '../site/guide-page.tsx'
import { readSections } from '../site/markdown.ts'
import type { Entry } from './find.ts'

/** Everything that can be found: sections of guides and references, operations, errors, settings. */
export async function searchEntries(root: URL, document: ApiDocument): Promise<Entry[]> {
  const entries: Entry[] = [...operationEntries(document), ...errorsAsEntries()]
  // One after the other, so that requests are answered in between.
  for (const page of DOCUMENT_PAGES)
    if (page.path !== '/docs/errors') entries.push(...(await pageEntries(root, page)))
  return entries
}

const operationEntries = (document: ApiDocument): Entry[] =>
  operationsOf(document).map(({ operationId, summary, description = '', method, path, parameters = [] }) => ({
    path: `/docs#${operationId}`,
    title: summary,
    of: 'API reference',
    text: [method, path, description.replaceAll('`', ''), ...parameters.map(({ name }) => name)].join(' '),
  }))

const errorsAsEntries = (): Entry[] =>
  errorEntries().map(({ code, status, title, help }) => ({
    path: `/docs/errors#${code}`,
    title: code,
    of: 'Errors',
    text: `${status} ${title}. ${help.replaceAll('`', '')}`,
  }))

async function pageEntries(root: URL, page: DocumentPage): Promise<Entry[]> {
  const sections = await readSections({ ...page, text: await readDocumentFile(root, page.file) })
  return sections.map(({ anchor, title, text }) => {
    // Generated pages have anchors of their own.
    const own = page.isGenerated && anchor !== '' ? anchorOf(title) : anchor
    return { path: own === '' ? page.path : `${page.path}#${own}`, title, of: page.title, text }
  })
}
