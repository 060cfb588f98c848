import { mkdirSync, readdirSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = join(root, 'dist', 'main.js')

/** Bundles src/main.ts and all it imports into dist/main.js; what npm installed stays outside. */
export function build() {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'src', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    write: false,
    logLevel: 'error',
  })
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (const { path, contents } of outputFiles) {
    // Moved into place when complete: another start may be reading the last one.
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, contents)
    renameSync(draft, path)
  }
}

/** Whether the bundle is newer than everything it is made of. */
export function isBuilt() {
  const builtTime = modifiedTime(outfile)
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((name) => join(root, 'src', name))
  return [...sources, join(root, 'package.json'), import.meta.filename].every(
    (path) => modifiedTime(path) < builtTime,
  )
}

const modifiedTime = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

if (realpathSync(process.argv[1]) === import.meta.filename) build()
