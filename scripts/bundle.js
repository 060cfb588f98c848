import { join } from 'node:path'
import { bundleProgram, root } from './build.js'

/** Bundles test/{name}.ts and its imports into dist/{as}.js and returns the path. */
export async function bundleTest(name, as = name) {
  const outfile = join(root, 'dist', `${as}.js`)
  await bundleProgram({
    entryPoints: [join(root, 'test', `${name}.ts`)],
    outfile,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: true,
  })
  return outfile
}
