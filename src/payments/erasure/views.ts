import { folded } from '../../base/text.ts'
import type { Queryable } from '../../db/database.ts'
import { personTexts, removeViews, viewsOf } from './views-store.ts'

/** A shorter beginning of an e-mail address or name tells nothing about one person. */
const SHORTEST_PART = 4

/**
 * Removes the saved views of the console whose name or filter names the customer. Called before the
 * customer is overwritten, because the texts are compared with it.
 */
export async function eraseViews(tx: Queryable, appId: string, customerId: string): Promise<void> {
  const views = (await viewsOf(tx, appId)).map((view) => ({ view, words: wordsOf(view) }))
  if (!views.some(({ words }) => words.length > 0)) return
  const texts = (await personTexts(tx, appId, customerId)).map(plain).filter((text) => text !== '')
  const found = views.filter(({ words }) =>
    words.some((word) => word === plain(customerId) || texts.some((text) => isAbout(word, text))),
  )
  if (found.length > 0)
    await removeViews(
      tx,
      appId,
      found.map(({ view }) => view),
    )
}

const plain = (text: string): string => folded(text).toLowerCase()

/** One name alone is also a word of other texts: only the whole word counts. */
const isTelling = (text: string): boolean => text.length >= SHORTEST_PART && /[@ \d]/.test(text)

const isAbout = (word: string, text: string): boolean =>
  word === text ||
  (isTelling(text) && (word.includes(text) || (word.length >= SHORTEST_PART && text.startsWith(word))))

/** The texts that a person wrote: the name, the search as a whole and its words, and the customer. */
function wordsOf({ name, query }: { readonly name: string; readonly query: string }): string[] {
  const filter = new URLSearchParams(query)
  const search = plain(filter.get('q') ?? '')
  const values = search.split(/[\s",]+/).map((word) => word.replace(/^-?[a-z0-9]+:/, '').replace(/\*$/, ''))
  const all = [plain(name), search.replaceAll('"', ''), ...values, plain(filter.get('customer') ?? '')]
  return all.filter((word) => word !== '')
}
