import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { bundleTest } from './bundle.js'

/**
 * `npm run bench -- webhooks`: builds the service and the benchmarks, and runs those that are named. Without
 * a name all but `growth` and `neighbours`, which take long; `all` means all.
 */
build()
// Each a process of its own, the probe inside the service's.
for (const name of ['receiver', 'load', 'noise', 'probe']) bundleTest(`bench/${name}`)
const { runBenches } = await import(pathToFileURL(bundleTest('bench/run')).href)
process.exitCode = await runBenches({ root, words: process.argv.slice(2) })
