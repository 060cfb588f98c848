import { pathToFileURL } from 'node:url'
import { build } from './build.js'
import { bundleTest } from './bundle.js'

/**
 * `npm run chaos -- kill postgres-restart`: does to a running service what must not hurt it, and looks
 * whether it did. `--write` keeps the table in docs/guides/reliability.md.
 */
build()
bundleTest('chaos/clock-step')
const { runChaos } = await import(pathToFileURL(bundleTest('chaos/run')).href)
process.exit(await runChaos(process.argv.slice(2)))
