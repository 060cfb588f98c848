import { createRequire } from 'node:module'

/** Added to the name of a source: the file of its built form, in the installed package. */
export const BUILT = '.built'

/**
 * Bundles and minifies a style sheet or script with its imports. esbuild is loaded here only: the installed
 * package does not have it.
 */
export function buildAsset(entry: string): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome109', 'safari16', 'firefox115'],
    charset: 'utf8',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}
