import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDocs } from '../../../../test/support/docs.ts'
import { createIndex, find, MAX_QUERY, termsOf } from './find.ts'

type Docs = Awaited<ReturnType<typeof startDocs>>
let server: Docs['server']
let get: Docs['get']
beforeAll(async () => {
  ;({ server, get } = await startDocs())
})
afterAll(() => server.close())

const search = async (query: string, more = '') =>
  await get(`/docs/search?q=${encodeURIComponent(query)}${more}`)

const linksOf = (html: string): string[] =>
  [...(/<ol class="results">(.*)<\/ol>/s.exec(html)?.[1] ?? '').matchAll(/<a href="([^"]+)"/g)].map(
    ([, href = '']) => href,
  )

describe('the search of the documentation', () => {
  it.each([
    ['reference_id_reused', '/docs/errors#reference_id_reused'],
    ['PUBLIC_URL', '/docs/reference/config#PUBLIC_URL'],
    ['retries of webhooks', '/docs/guides/webhooks#retries'],
    ['erase a customer', '/docs/guides/personal-data#erase-a-customer'],
    ['capture a payment', '/docs#'],
  ])('finds %s', async (query, path) => {
    const { status, text } = await search(query)
    expect(status).toBe(200)
    expect(linksOf(text).slice(0, 5).join(' ')).toContain(path)
  })

  it('leads to pages and anchors that exist', async () => {
    const queries = ['payment', 'webhook', 'customer', 'state', 'card', 'key', 'a', 'bank', 'number', 'kind']
    const links = new Set<string>()
    for (const query of queries) for (const link of linksOf((await search(query)).text)) links.add(link)
    expect(links.size).toBeGreaterThan(40)
    for (const link of links) {
      const [path = '', anchor] = link.split('#')
      const { status, text } = await get(path)
      expect([link, status, !anchor || text.includes(` id="${anchor}"`)]).toEqual([link, 200, true])
    }
  })

  it('shows what was typed in the field again, and helps when nothing is found', async () => {
    const { text } = await search('<b>"zzzz')
    expect(text).toContain('value="&lt;b>&quot;zzzz"')
    expect(text).toContain('Nothing was found')
    expect(text).not.toContain('<b>')
    expect((await search('')).text).toContain('Type what you look for')
  })

  it('returns only the results for the script', async () => {
    const { text } = await search('webhook', '&part=results')
    expect(text).toMatch(/^<ol class="results">/)
    expect(text).toContain('<mark>')
  })

  it('cuts a long query', async () => {
    const { status, text } = await search('x'.repeat(5_000))
    expect(status).toBe(200)
    expect(text).toContain(`value="${'x'.repeat(MAX_QUERY)}"`)
    expect(termsOf('a b c d e f g h i j')).toHaveLength(8)
    expect(termsOf('- _ . %')).toEqual([])
  })
})

describe('an index', () => {
  const index = createIndex([
    { path: '/a', title: 'Refunds', of: 'X', text: 'Money goes back.' },
    { path: '/b', title: 'Other', of: 'X', text: `${'word '.repeat(40)}<i>Refunds</i> of captures` },
    { path: '/c', title: 'Captures', of: 'X', text: 'İ stays' },
  ])

  it('orders titles before texts, and prefers entries with all words', () => {
    expect(find(index, 'refunds').map(({ path }) => path)).toEqual(['/a', '/b'])
    expect(find(index, 'refunds captures').map(({ path }) => path)).toEqual(['/b'])
    expect(find(index, 'money zzz').map(({ path }) => path)).toEqual(['/a'])
  })

  it('cuts a snippet around the first match and marks all matches', () => {
    const [, { snippet = [] } = {}] = find(index, 'refunds')
    expect(snippet.map(({ text }) => text).join('')).toMatch(/^… (?:word )+<i>Refunds<\/i> of captures$/)
    expect(snippet.filter(({ isMatch }) => isMatch)).toEqual([{ text: 'Refunds', isMatch: true }])
    expect(find(index, 'stays')[0]?.snippet.map(({ text }) => text)).toEqual(['İ ', 'stays'])
  })
})
