import { readFile } from 'node:fs/promises'
import type { ComponentChildren } from 'preact'
import { type AssetPaths, docsHtml } from '../layout.tsx'
import { type DocumentPage, SITE, SITE_TEXTS, type SitePage } from './contents.ts'
import { type RenderedPage, renderMarkdown, type Section } from './markdown.ts'

/** Reads a document of the site. Paths are those of the table of contents, never of a request. */
export const readDocumentFile = (root: URL, file: string): Promise<string> =>
  readFile(new URL(file, root), 'utf8')

export const renderDocument = async (root: URL, page: DocumentPage): Promise<RenderedPage> =>
  renderMarkdown({ ...page, text: await readDocumentFile(root, page.file) })

export const guidePage = async (assets: AssetPaths, root: URL, page: DocumentPage): Promise<string> =>
  guideHtml(assets, page, await renderDocument(root, page))

/** `before` is shown between the heading and the text. */
export function guideHtml(
  assets: AssetPaths,
  { path }: SitePage,
  { title, html, sections }: RenderedPage,
  before?: ComponentChildren,
): string {
  return docsHtml(assets, {
    title: title.replaceAll('`', ''),
    path,
    pages: <SiteNavigation path={path} />,
    children: (
      <>
        <OnThisPage sections={sections} />
        {before}
        {/* Rendered from documents of the project; raw HTML in them is escaped. */}
        <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
      </>
    ),
  })
}

/** Shorter pages need no list of their parts. */
const MIN_LISTED = 3

function OnThisPage({ sections }: { readonly sections: readonly Section[] }) {
  const listed = sections.filter(({ depth, anchor }) => depth === 2 && anchor !== '')
  if (listed.length < MIN_LISTED) return null
  return (
    <nav class="jump" aria-label="On this page">
      {listed.map(({ anchor, title }) => (
        <a href={`#${anchor}`}>{title}</a>
      ))}
    </nav>
  )
}

/** Every page, after the content: a narrow window shows it at the end, a wide one beside the content. */
export function SiteNavigation({ path }: { readonly path: string }) {
  return (
    <nav class="contents pages" id="pages" aria-label="All pages">
      <ul>
        {SITE.map(({ title, pages }) => (
          <li>
            <span class="tag">{title}</span>
            <ul>
              {pages.map((page) => (
                <li>
                  <a href={page.path} {...(page.path === path && { 'aria-current': 'page' as const })}>
                    {page.title}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** All pages with a sentence about each. */
export function guidesPage(assets: AssetPaths): string {
  return docsHtml(assets, {
    title: 'Guides',
    path: '/docs/guides',
    pages: <SiteNavigation path="/docs/guides" />,
    children: (
      <>
        {SITE.map(({ title, pages }) => (
          <section>
            <h2>{title}</h2>
            <ul class="fields">
              {pages.map((page) => (
                <li>
                  <a class="name" href={page.path}>
                    {page.title}
                  </a>
                  <p>{page.description}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section>
          <h2>Texts</h2>
          <ul class="fields">
            {SITE_TEXTS.map((text) => (
              <li>
                <a class="name" href={text.path}>
                  {text.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </>
    ),
  })
}
