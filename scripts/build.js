import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.js'

/** A development dependency: the npm package and the image are built, a checkout is built here. */
const esbuild = await import('esbuild').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error(
    'The sources of this checkout cannot be built: esbuild is not installed. It is a development ' +
      'dependency, so run `npm install` without --omit=dev and without NODE_ENV=production, and try ' +
      'again. To run the service without development dependencies, install its package: see ' +
      'docs/guides/install.md.',
  )
  process.exit(1)
})
// A development dependency too.
const { esbuildCatalogues } = await import('./locales/catalogues.js')

export const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = (name) => join(root, 'dist', `${name}.js`)

/** Bun replaces the package of this name by its own, which cannot send what we send. */
export const UNDICI = { undici: 'undici/index.js' }

/** Bundles a program for Node; npm packages stay external. */
export const bundleProgram = (options) =>
  esbuild.build({
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    alias: UNDICI,
    plugins: [esbuildCatalogues],
    logLevel: 'error',
    ...options,
  })

/** Bundles src/{name}.ts and its imports into dist/{name}.js; npm packages stay external. */
export async function build(name = 'main') {
  for (const { path, contents } of await bundle(name)) {
    mkdirSync(dirname(path), { recursive: true })
    // Renamed when complete: another process may be reading the previous one.
    const temporary = `${path}.${process.pid}`
    writeFileSync(temporary, contents)
    renameSync(temporary, path)
  }
}

async function bundle(name) {
  const options = { entryPoints: [join(root, 'src', `${name}.ts`)], outfile: outfile(name) }
  try {
    return (await bundleProgram({ ...options, sourcemap: true, write: false })).outputFiles
  } catch {
    // esbuild has printed the error.
    process.exit(1)
  } finally {
    // Its process would live as long as the service that is started next.
    await esbuild.stop()
  }
}

/** Whether the bundle is newer than all its sources. */
export function isBuilt() {
  const builtTime = modifiedTime(outfile('main'))
  // Folders count too: their time changes when a file is removed.
  const sources = ['src', 'locales', 'scripts/locales']
    .map((folder) => join(root, folder))
    .flatMap((folder) => [
      folder,
      ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
    ])
  const all = [...sources, join(root, 'package.json'), import.meta.filename]
  return all.every((path) => modifiedTime(path) < builtTime)
}

/** Compiles packages/sdk into its dist/, with type declarations. Needs the development dependencies. */
function buildSdk() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'packages/sdk')], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

/** Bundles packages/cli, or the command line of the service, with the SDK into one program. */
export async function buildCli(program = join(root, 'packages/cli/dist/tender.js'), name = 'cli') {
  await bundleProgram({
    entryPoints: [join(root, 'packages', name, 'src/tender.ts')],
    outfile: program,
    packages: 'bundle',
    banner: { js: '#!/usr/bin/env node' },
  })
  chmodSync(program, 0o755)
}

const modifiedTime = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

if (realpathSync(process.argv[1]) === import.meta.filename) {
  readOptions({
    usage: 'npm run build',
    does: 'Bundles the service into dist/main.js, and builds packages/sdk and packages/cli into their dist/.',
  })
  await build()
  buildSdk()
  await buildCli()
  // npm packs the files of one folder only.
  for (const name of ['sdk', 'cli'])
    copyFileSync(join(root, 'LICENSE'), join(root, 'packages', name, 'dist', 'LICENSE'))
}
