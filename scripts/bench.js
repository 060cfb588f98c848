import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { build, root } from './build.js'

/**
 * `npm run bench -- webhooks`: builds the service and the benchmarks, and runs those that are named, or
 * all.
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
bundle('receiver')
const { runBenches } = await import(pathToFileURL(bundle('run')).href)
process.exitCode = await runBenches({ root, names: process.argv.slice(2) })
