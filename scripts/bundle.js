import { join } from 'node:path'
import { buildSync, root, UNDICI } from './build.js'

/** Bundles test/{name}.ts and its imports into dist/{as}.js and returns the path. */
export function bundleTest(name, as = name) {
  const outfile = join(root, 'dist', `${as}.js`)
  buildSync({
    entryPoints: [join(root, 'test', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    alias: UNDICI,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: true,
    logLevel: 'error',
  })
  return outfile
}
