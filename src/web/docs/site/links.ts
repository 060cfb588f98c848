import { posix } from 'node:path'
import { SITE_PAGES, SITE_TEXTS } from './contents.ts'

const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ...[...SITE_PAGES, ...SITE_TEXTS].flatMap(({ file, path }) => (file ? [[file, path] as const] : [])),
  ['docs/reference/openapi.json', '/openapi.json'],
])

/** An image that a guide shows: they are all in one folder. */
const IMAGE = /^docs\/images\/([a-z0-9-]+\.(?:webp|svg))$/

/** The address on this site of a link in a Markdown file; undefined when the site does not have it. */
export function siteAddress(from: string, href: string): string | undefined {
  if (href.startsWith('#')) return href
  const [path = '', anchor] = href.split('#')
  const file = posix.normalize(posix.join(posix.dirname(from), path))
  const address = ADDRESSES.get(file)
  return address && (anchor ? `${address}#${anchor}` : address)
}

export function imageAddress(from: string, href: string): string | undefined {
  const [, name] = IMAGE.exec(posix.normalize(posix.join(posix.dirname(from), href))) ?? []
  return name && `/docs/images/${name}`
}

/** The path of a linked file in the repository, for links that the site does not have. */
export const repositoryPath = (from: string, href: string): string =>
  posix.normalize(posix.join(posix.dirname(from), href.split('#')[0] ?? ''))

/** The anchor of a heading: the same as on the usual hosts of repositories. */
const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Makes the anchors of one page different from each other. */
export function createAnchors(): (text: string) => string {
  const counts = new Map<string, number>()
  return (text) => {
    const slug = slugOf(text)
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
