import type { MarkedToken, RendererObject, Token, Tokens } from 'marked'
import { createAnchors, imageAddress, repositoryPath, siteAddress } from './links.ts'

/** A part of a page: a heading with the text up to the next one. */
export interface Section {
  readonly anchor: string
  readonly title: string
  readonly depth: number
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

interface MarkdownSource {
  /** From the root of the project: links are relative to it. */
  readonly file: string
  readonly text: string
  readonly hasRowAnchors?: boolean
}

/** Loaded by the first page: the start of the service does not need it. */
const loadMarked = () => import('marked')

/** Renders a document of the project. Raw HTML is shown as text, and its comments are left out. */
export async function renderMarkdown(source: MarkdownSource): Promise<RenderedPage> {
  const { Marked } = await loadMarked()
  // Only what is written as a link is one: tables have e-mail addresses and database URLs as examples.
  const tokenizer = { url: () => undefined }
  const marked = new Marked({ gfm: true, async: false, renderer: rendererOf(source), tokenizer })
  const [title, body] = withoutTitle(marked.lexer(source.text))
  return {
    title,
    html: inGroups(body, (tokens) => marked.parser(tokens)),
    sections: sectionsOf(title, body, source.hasRowAnchors ?? false),
  }
}

/** The sections alone, for the search. */
export async function readSections({ text, hasRowAnchors = false }: MarkdownSource): Promise<Section[]> {
  const { lexer } = await loadMarked()
  const [title, body] = withoutTitle(lexer(text))
  return sectionsOf(title, body, hasRowAnchors)
}

/** The layout shows the first heading. */
function withoutTitle(tokens: readonly Token[]): [title: string, body: Token[]] {
  const first = tokens.find(isHeading)
  return [first?.text ?? '', tokens.filter((token) => token !== first)]
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  curl: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  sql: 'SQL',
}

function rendererOf({ file, hasRowAnchors }: MarkdownSource): RendererObject {
  const anchorOf = createAnchors()
  let heading = 'Introduction'
  let count = 0
  /** Scrollable parts are regions, and each needs a name of its own. */
  const nameOf = (what: string): string => escapeHtml(`${what} ${++count}: ${heading}`)
  return {
    heading({ tokens, depth, text }) {
      heading = text.replaceAll('`', '')
      const anchor = anchorOf(text)
      const inner = this.parser.parseInline(tokens)
      return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${inner}</a></h${depth}>\n`
    },
    html: ({ text }) => (/^\s*<!--/.test(text) ? '' : escapeHtml(text)),
    code: ({ text, lang }) =>
      `<div class="block"><p class="language">${escapeHtml(LANGUAGES[lang ?? ''] ?? 'Text')}</p>` +
      `<section class="code" tabindex="0" aria-label="${nameOf('Code')}">` +
      `<pre><code>${escapeHtml(text)}</code></pre></section></div>\n`,
    link({ href, tokens }) {
      return linkHtml(file, href, this.parser.parseInline(tokens))
    },
    image({ href, text }) {
      const address = imageAddress(file, href)
      const alt = escapeHtml(text)
      return address ? `<img src="${address}" alt="${alt}" loading="lazy">` : alt
    },
    table(token) {
      const cells = (row: Tokens.TableCell[]) => row.map((cell) => this.tablecell(cell)).join('')
      const rows = token.rows.map((row) => {
        const anchor = hasRowAnchors ? rowAnchor(row) : undefined
        return `<tr${anchor ? ` id="${anchor}"` : ''}>${cells(row)}</tr>\n`
      })
      return (
        `<section class="wide" tabindex="0" aria-label="${nameOf('Table')}"><table>` +
        `<thead><tr>${cells(token.header)}</tr></thead><tbody>${rows.join('')}</tbody></table></section>\n`
      )
    },
    tablecell({ tokens, header, text }) {
      const inner = this.parser.parseInline(tokens)
      return header && text !== '' ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`
    },
  }
}

/** The same call in several languages, one after the other: the page shows one of them. */
const SAMPLE_LANGUAGES = ['curl', 'ts', 'php', 'python']

const isSample = (token: Token | undefined): token is Tokens.Code =>
  token?.type === 'code' && SAMPLE_LANGUAGES.includes(token.lang)

/** Renders runs of samples as tabs, which work without script, and everything else as it is. */
function inGroups(tokens: readonly Token[], render: (tokens: Token[]) => string): string {
  const groups: Token[][] = []
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = groups.at(-1)
    if (last && isSample(token) === isSample(last.at(-1))) last.push(token)
    else groups.push([token])
  }
  return groups
    .map((group, index) =>
      group.length > 1 && group.every(isSample) ? tabs(group, `tabs-${index}`, render) : render(group),
    )
    .join('')
}

function tabs(samples: readonly Tokens.Code[], name: string, render: (tokens: Token[]) => string): string {
  const choices = samples.map(({ lang = '' }, index) => {
    const id = `${name}-${lang}`
    const first = index === 0 ? ' checked' : ''
    return (
      `<input type="radio" name="${name}" id="${id}" data-language="${lang}"${first}>` +
      `<label for="${id}">${LANGUAGES[lang]}</label>`
    )
  })
  return (
    `<fieldset class="tabs"><legend>Language</legend>${choices.join('')}` +
    `${samples.map((sample) => render([sample])).join('')}</fieldset>\n`
  )
}

/** Files of the repository that are not part of the site are shown by their names. */
function linkHtml(file: string, href: string, inner: string): string {
  if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}">${inner}</a>`
  const address = siteAddress(file, href)
  if (address) return `<a href="${escapeHtml(address)}">${inner}</a>`
  const path = escapeHtml(repositoryPath(file, href))
  return `<span class="elsewhere" title="In the repository: ${path}">${inner}</span>`
}

const CODE_ANCHOR = /^`([\w-]+)`$/

const rowAnchor = ([first]: readonly Tokens.TableCell[]): string | undefined =>
  CODE_ANCHOR.exec(first?.text ?? '')?.[1]

/** Text before the first heading belongs to the page itself. */
function sectionsOf(title: string, tokens: readonly Token[], hasRowAnchors: boolean): Section[] {
  const anchorOf = createAnchors()
  const sections: { anchor: string; title: string; depth: number; texts: string[] }[] = [
    { anchor: '', title, depth: 1, texts: [] },
  ]
  for (const token of tokens) {
    if (isHeading(token))
      sections.push({
        anchor: anchorOf(token.text),
        title: token.text.replaceAll('`', ''),
        depth: token.depth,
        texts: [],
      })
    else if (hasRowAnchors && token.type === 'table') sections.push(...rowSections(token as Tokens.Table))
    else sections.at(-1)?.texts.push(plainText(token))
  }
  return sections.map(({ texts, ...section }) => ({ ...section, text: collapse(texts.join(' ')) }))
}

const rowSections = ({ rows }: Tokens.Table) =>
  rows.flatMap((row) => {
    const anchor = rowAnchor(row)
    const texts = row.slice(1).flatMap(({ tokens }) => tokens.map(plainText))
    return anchor ? [{ anchor, title: anchor, depth: 3, texts: [texts.join(' ')] }] : []
  })

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim()

function plainText(token: Token): string {
  const known = token as MarkedToken
  switch (known.type) {
    case 'html':
    case 'space':
      return ''
    case 'table':
      return [...known.header, ...known.rows.flat()]
        .map(({ tokens }) => tokens.map(plainText).join(''))
        .join(' ')
    case 'list':
      return known.items.map(({ tokens }) => tokens.map(plainText).join(' ')).join(' ')
    default:
      return 'tokens' in known && known.tokens
        ? known.tokens.map(plainText).join('')
        : 'text' in known
          ? known.text
          : ' '
  }
}
