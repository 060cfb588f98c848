/** Something that the search finds. */
export interface Entry {
  readonly path: string
  readonly title: string
  /** The page or kind, shown beside the title. */
  readonly of: string
  readonly text: string
}

/** Longer input is cut: nothing in the documents is that long. */
export const MAX_QUERY = 100
const MAX_TERMS = 8
const MAX_FOUND = 20
/** Characters of a snippet, and how many of them come before the first match. */
const SNIPPET = 180
const BEFORE = 50

export interface Index {
  readonly entries: readonly IndexedEntry[]
}

interface IndexedEntry extends Entry {
  readonly lowerTitle: string
  readonly lowerText: string
}

export interface FoundEntry {
  readonly path: string
  readonly of: string
  readonly title: readonly Piece[]
  readonly snippet: readonly Piece[]
}

/** A piece of text; matched ones are highlighted. */
export interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

/** Text in lower case that keeps its length, so that positions are those of the original. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

export const createIndex = (entries: readonly Entry[]): Index => ({
  entries: entries.map((entry) => ({
    ...entry,
    lowerTitle: lowered(entry.title),
    lowerText: lowered(entry.text),
  })),
})

/** The words of a query, each once. Single letters count only when there is nothing else. */
export function termsOf(query: string): string[] {
  const words = query
    .slice(0, MAX_QUERY)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const long = words.filter((word) => word.length > 1)
  return [...new Set(long.length > 0 ? long : words)].slice(0, MAX_TERMS)
}

/** The best entries that have all terms; when there are none, those that have any. */
export function find({ entries }: Index, query: string): FoundEntry[] {
  const terms = termsOf(query)
  if (terms.length === 0) return []
  const scored = entries
    .map((entry) => ({ entry, scores: terms.map((term) => scoreOf(entry, term)) }))
    .filter(({ scores }) => scores.some((score) => score > 0))
  const all = scored.filter(({ scores }) => scores.every((score) => score > 0))
  return (all.length > 0 ? all : scored)
    .map(({ entry, scores }) => ({ entry, score: scores.reduce((sum, score) => sum + score, 0) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => foundOf(entry, terms))
}

/** A whole title counts most, then its words, then the text. */
function scoreOf({ lowerTitle, lowerText }: IndexedEntry, term: string): number {
  const inTitle = lowerTitle.indexOf(term)
  if (lowerTitle === term) return 100
  if (inTitle >= 0) return isWordStart(lowerTitle, inTitle) ? 30 : 10
  const inText = lowerText.indexOf(term)
  if (inText < 0) return 0
  return isWordStart(lowerText, inText) ? 5 : 2
}

const isWordStart = (text: string, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

function foundOf(entry: IndexedEntry, terms: readonly string[]): FoundEntry {
  const { path, of, title, text, lowerTitle, lowerText } = entry
  const first = Math.min(...terms.map((term) => lowerText.indexOf(term)).filter((at) => at >= 0))
  const wanted = Number.isFinite(first) ? Math.max(0, first - BEFORE) : 0
  const start = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1
  const end = text.length <= start + SNIPPET ? text.length : text.lastIndexOf(' ', start + SNIPPET)
  const snippet = piecesOf(text.slice(start, end), lowerText.slice(start, end), terms)
  return {
    path,
    of,
    title: piecesOf(title, lowerTitle, terms),
    snippet: [
      ...(start > 0 ? [{ text: '… ', isMatch: false }] : []),
      ...snippet,
      ...(end < text.length ? [{ text: ' …', isMatch: false }] : []),
    ],
  }
}

function piecesOf(text: string, lower: string, terms: readonly string[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  while (at < text.length) {
    const [start, length] = nextMatch(lower, terms, at)
    if (start > at) pieces.push({ text: text.slice(at, start), isMatch: false })
    if (length > 0) pieces.push({ text: text.slice(start, start + length), isMatch: true })
    at = start + length
  }
  return pieces
}

/** The first match at or after a position, the longest of those that begin there. */
function nextMatch(lower: string, terms: readonly string[], from: number): [start: number, length: number] {
  let best: [number, number] = [lower.length, 0]
  for (const term of terms) {
    const at = lower.indexOf(term, from)
    if (at >= 0 && (at < best[0] || (at === best[0] && term.length > best[1]))) best = [at, term.length]
  }
  return best
}
