import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDocs } from '../../../../test/support/docs.ts'
import { markdownPath, SITE_PAGES, SITE_TEXTS } from './contents.ts'
import { renderMarkdown } from './markdown.ts'

type Docs = Awaited<ReturnType<typeof startDocs>>
let server: Docs['server']
let get: Docs['get']
beforeAll(async () => {
  ;({ server, get } = await startDocs())
})
afterAll(() => server.close())

const markdownFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name))

const DOCUMENTS = [...markdownFiles('docs/guides'), ...markdownFiles('docs/reference'), 'CHANGELOG.md']

/** Every page of the site by its path, with its anchors. */
async function allPages(): Promise<Map<string, { text: string; ids: Set<string> }>> {
  const paths = ['/docs/guides', ...SITE_PAGES.map(({ path }) => path)]
  const pages = await Promise.all(
    paths.map(async (path) => {
      const { status, text } = await get(path)
      expect([path, status]).toEqual([path, 200])
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
      expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []])
      return [path, { text, ids: new Set(ids) }] as const
    }),
  )
  return new Map(pages)
}

describe('the site', () => {
  it('has every guide and reference in the navigation and in the index for models', async () => {
    expect(SITE_PAGES.flatMap(({ file }) => file ?? []).sort()).toEqual([...DOCUMENTS].sort())
    const llms = (await get('/llms.txt')).text
    const { text } = await get('/docs/guides/integrate')
    for (const { path, file, isGenerated } of SITE_PAGES) {
      expect(text).toContain(`href="${path}"`)
      expect(llms).toContain(`](http://localhost:8080${path})`)
      if (file && !isGenerated) expect(llms).toContain(`](http://localhost:8080${markdownPath(file)})`)
    }
  })

  it('has no broken link: every page and anchor exists', async () => {
    const pages = await allPages()
    const others = new Set(['/openapi.json', ...SITE_TEXTS.map(({ path }) => path)])
    const broken: string[] = []
    for (const [from, { text }] of pages)
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        if (/^https?:|^\/console$/.test(href) || others.has(href)) continue
        const [path, anchor] = href.split('#')
        const target = pages.get(path || from)
        if (!target || (anchor && !target.ids.has(anchor))) broken.push(`${from}: ${href}`)
      }
    expect(broken).toEqual([])
    for (const path of others) expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  it('shows every image that a guide shows', async () => {
    const images = [...(await allPages()).values()].flatMap(({ text }) =>
      [...text.matchAll(/<img src="([^"]+)" alt="[^"]+"/g)].map(([, src = '']) => src),
    )
    const written = DOCUMENTS.flatMap((file) => readFileSync(file, 'utf8').match(/^!\[/gm) ?? [])
    expect(images).toHaveLength(written.length)
    for (const src of images) {
      const { status, headers } = await get(src)
      const type = src.endsWith('.svg') ? 'image/svg+xml' : 'image/webp'
      expect([src, status, headers['content-type']]).toEqual([src, 200, type])
    }
    for (const name of ['x.webp', '..%2F..%2Fpackage.json', '%00.webp'])
      expect((await get(`/docs/images/${name}`)).status).toBe(name === '%00.webp' ? 400 : 404)
  })

  it('links only to files of the repository that exist', () => {
    const missing = DOCUMENTS.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, href = '']) => posix.join(posix.dirname(file), href))
        .filter((path) => readdirSync(posix.dirname(path)).includes(posix.basename(path)) === false),
    )
    expect(missing).toEqual([])
  })

  it('has one first heading on each page, skips no level, and has no script or style in it', async () => {
    for (const [path, { text }] of await allPages()) {
      const levels = [...text.matchAll(/<h([1-6])/g)].map((match) => Number(match[1]))
      expect([path, levels.filter((level) => level === 1).length]).toEqual([path, 1])
      levels.forEach((level, at) => void expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1))
      expect([path, text.match(/<style|\sstyle=|\son[a-z]+="|<script(?![^>]*src=)/)]).toEqual([path, null])
      expect(text.match(/\ssrc="(?:https?:)?\/\/[^"]*"/g)).toBeNull()
    }
  })

  it('serves each document as Markdown too', async () => {
    for (const { file } of SITE_PAGES)
      if (file) expect((await get(markdownPath(file))).text).toBe(readFileSync(file, 'utf8'))
  })
})

describe('Markdown', () => {
  const render = async (text: string) => (await renderMarkdown({ file: 'docs/guides/x.md', text })).html

  it('is escaped: raw HTML, code and attributes are shown as text', async () => {
    const html = await render(
      '# T\n\n<script>alert(1)</script>\n\na <b onclick="x()">b</b>\n\n```"><i>\n<img src=x>\n```\n\n' +
        '![a" onerror="x](../images/p.webp) [x](javascript:alert(1)) [y](https://x.example/"><i>)',
    )
    expect(html).not.toMatch(/<(?:script|b|i)\b|<img src=x|href="javascript:|" onerror="/)
    expect(html).toContain('&lt;img src=x&gt;')
    expect(html).toContain('<img src="/docs/images/p.webp"')
  })

  it('gives headings the anchors that links of the repository use', async () => {
    const html = await render('# T\n\n## `GET` What, it is: a\n\n## Same\n\n## Same\n')
    expect([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'get-what-it-is-a',
      'same',
      'same-1',
    ])
  })

  it('turns links between documents into links between pages, and names other files', async () => {
    const html = await render('# T\n\n[a](webhooks.md#php) [b](../reference/errors.md) [c](../../Dockerfile)')
    expect(html).toContain('<a href="/docs/guides/webhooks#php">a</a>')
    expect(html).toContain('<a href="/docs/errors">b</a>')
    expect(html).toContain('title="In the repository: Dockerfile">c</span>')
  })
})
