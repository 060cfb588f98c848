import { pathToFileURL } from 'node:url'
import { build } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm run chaos -- [scenario…] [options]',
  does: 'Injects faults into a running service under load and checks its invariants.',
  names: 'Scenarios: see the table in docs/guides/reliability.md. Default: all.',
  options: { write: { type: 'boolean', description: 'Write the table to docs/guides/reliability.md.' } },
})
await build()
for (const name of ['clock-step', 'tell-memory']) await bundleTest(`chaos/${name}`)
const { runChaos } = await import(pathToFileURL(await bundleTest('chaos/run')).href)
process.exit(await runChaos(process.argv.slice(2)))
