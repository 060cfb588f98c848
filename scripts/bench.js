import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { build, root } from './build.js'

/**
 * `npm run bench -- webhooks`: builds the service and the benchmarks, and runs those that are named. Without
 * a name all but `growth`, which takes long; `all` means all.
 */
const bundle = (name) => {
  const outfile = join(root, 'dist', 'bench', `${name}.js`)
  buildSync({
    entryPoints: [join(root, 'test', 'bench', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    logLevel: 'error',
  })
  return outfile
}

build()
// Each a process of its own, the probe inside the service's.
for (const name of ['receiver', 'load', 'probe']) bundle(name)
const { runBenches } = await import(pathToFileURL(bundle('run')).href)
process.exitCode = await runBenches({ root, words: process.argv.slice(2) })
