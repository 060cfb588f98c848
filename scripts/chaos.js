import { pathToFileURL } from 'node:url'
import { build } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm run chaos -- [scenario…] [options]',
  does: 'Does to a running service what must not hurt it, and checks whether it did.',
  names: 'Scenarios are those of the table in docs/guides/reliability.md. None: all.',
  options: { write: { type: 'boolean', says: 'Put the table into docs/guides/reliability.md.' } },
})
build()
bundleTest('chaos/clock-step')
const { runChaos } = await import(pathToFileURL(bundleTest('chaos/run')).href)
process.exit(await runChaos(process.argv.slice(2)))
