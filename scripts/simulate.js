import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** Bundles the simulation and runs it in this process; it starts copies of itself, one for each core. */
const outfile = fileURLToPath(new URL('../dist/simulate.js', import.meta.url))
buildSync({
  entryPoints: [fileURLToPath(new URL('../test/simulate/run.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'error',
})
process.argv[1] = outfile
await import(outfile)
