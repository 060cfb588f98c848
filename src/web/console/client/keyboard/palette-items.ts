/** Pure: what the palette shows for a text. */

export interface PaletteItem {
  readonly group: 'recent' | 'goTo' | 'act' | 'found'
  readonly label: string
  readonly detail?: string
  readonly href?: string
  /** For actions of the page that is open. */
  run?(): void
}

const ORDER = ['found', 'recent', 'goTo', 'act'] as const
const MAX_OF_GROUP = 8

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** 2: begins with the text, 1: contains every word, 0: neither. */
function matchOf({ label, detail = '' }: PaletteItem, query: string): 0 | 1 | 2 {
  const text = folded(`${label} ${detail}`)
  if (folded(label).startsWith(query)) return 2
  return query.split(/\s+/).every((word) => text.includes(word)) ? 1 : 0
}

/** Grouped in order; what the server found is not filtered again, and stands first. */
export function shownItems(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const wanted = folded(query.trim())
  return ORDER.flatMap((group) => {
    const ofGroup = items.filter((item) => item.group === group)
    if (group === 'found' || wanted === '') return ofGroup.slice(0, MAX_OF_GROUP * 2)
    return ofGroup
      .map((item) => ({ item, match: matchOf(item, wanted) }))
      .filter(({ match }) => match > 0)
      .sort((one, other) => other.match - one.match)
      .map(({ item }) => item)
      .slice(0, MAX_OF_GROUP)
  })
}

/** The place after a press of an arrow, Home or End; both ends are joined. */
export function movedPlace(place: number, key: string, count: number): number {
  if (count === 0) return -1
  switch (key) {
    case 'ArrowDown':
      return (place + 1) % count
    case 'ArrowUp':
      return place <= 0 ? count - 1 : place - 1
    case 'PageDown':
      return Math.min(place + MAX_OF_GROUP, count - 1)
    case 'PageUp':
      return Math.max(place - MAX_OF_GROUP, 0)
    default:
      return place
  }
}

export interface Recent {
  readonly label: string
  readonly href: string
}

const MAX_RECENT = 8

/** The newest first, each once. */
export const withRecent = (recent: readonly Recent[], visited: Recent): Recent[] =>
  [visited, ...recent.filter(({ href }) => href !== visited.href)].slice(0, MAX_RECENT)

/** What is stored may be old or foreign. */
export function readRecent(text: string | null): Recent[] {
  try {
    const list = JSON.parse(text ?? '[]') as Recent[]
    const isRecent = ({ label, href }: Recent) => typeof label === 'string' && /^\/console\//.test(href)
    return Array.isArray(list) ? list.filter(isRecent).slice(0, MAX_RECENT) : []
  } catch {
    return []
  }
}

/** Answers of the search; only addresses of the console are followed. The palette has its screens itself. */
export const foundItems = (answer: unknown, kinds: Readonly<Record<string, string>>): PaletteItem[] =>
  (Array.isArray(answer) ? (answer as Readonly<Record<string, unknown>>[]) : []).flatMap((each) => {
    const { kind, label, href, detail } = each ?? {}
    if (kind === 'screen') return []
    if (typeof label !== 'string' || typeof href !== 'string' || !href.startsWith('/console/')) return []
    const said = [kinds[String(kind)], detail].filter((text) => typeof text === 'string' && text !== '')
    return [{ group: 'found' as const, label, href, detail: said.join(' · ') }]
  })
