import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCatalogue } from './compile.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const LOCALES = join(root, 'locales')

/** Paths of the catalogues of a language below its folder, without extension: `checkout`, `console/team`. */
export const areasOf = (locale) =>
  readdirSync(join(LOCALES, locale), { recursive: true })
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length).replaceAll(sep, '/'))
    .sort()

/** English is first: it is the source of the others. */
export const locales = () => ['en', ...readdirSync(LOCALES).filter((name) => name !== 'en')]

export const fileOf = (locale, area) => join('locales', locale, `${area}.json`)

export const readCatalogue = (locale, area) => readJson(join(root, fileOf(locale, area)))

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${relative(root, path)}: ${error.message}`)
  }
}

/** The JavaScript module of a catalogue. */
function moduleOf(path) {
  const [locale] = relative(LOCALES, path).split(sep)
  try {
    return compileCatalogue(readJson(path), locale)
  } catch (error) {
    throw new Error(`${relative(root, path)}: ${error.message}`)
  }
}

const isCatalogue = (path) => path.startsWith(LOCALES + sep) && path.endsWith('.json')

/** Compiles imported catalogues in a bundle of esbuild. */
export const esbuildCatalogues = {
  name: 'catalogues',
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, ({ path }) =>
      isCatalogue(path) ? { contents: moduleOf(path), loader: 'js' } : undefined,
    )
  },
}

/** Vite takes a module for JSON by the end of its name. */
const SUFFIX = '.js'

/** The catalogue of a module, from its path or its address below the root. */
function catalogueOf(id) {
  const path = (id.startsWith('/locales/') ? join(root, id) : id).slice(0, -SUFFIX.length)
  return id.endsWith(SUFFIX) && isCatalogue(path) ? path : undefined
}

/** Compiles imported catalogues in the tests. */
export const viteCatalogues = {
  name: 'catalogues',
  enforce: 'pre',
  /** A compiled catalogue is kept for the next run, until its texts change. */
  configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
    defineKey(({ id }) => {
      const path = catalogueOf(id)
      return path && readFileSync(path, 'utf8')
    })
  },
  resolveId(source, importer) {
    // A module that is kept imports by addresses.
    const kept = source.startsWith('/locales/') ? catalogueOf(source) : undefined
    if (kept) return kept + SUFFIX
    if (!source.startsWith('.') || !importer) return undefined
    const path = join(dirname(importer), source)
    return isCatalogue(path) ? path + SUFFIX : undefined
  },
  load(id) {
    const path = catalogueOf(id)
    if (!path) return undefined
    this.addWatchFile(path)
    return moduleOf(path)
  },
}
