import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

const { values, positionals } = readOptions({
  usage: 'npm run bench -- [name…] [options]',
  does: 'Builds the service and the benchmarks, and runs those that are named.',
  names: 'Names: see docs/guides/performance.md. None: all but growth and neighbours; all: all.',
  options: {
    profile: { type: 'boolean', says: 'Write CPU profiles.' },
    workers: { type: 'string', value: 'count', says: 'Run the service as so many processes, or auto.' },
    write: { type: 'boolean', says: 'Put the figures into docs/guides/performance.md.' },
  },
})
build()
// Each a process of its own, the probe inside the service's.
for (const name of ['receiver', 'load', 'noise', 'probe']) bundleTest(`bench/${name}`)
const { runBenches } = await import(pathToFileURL(bundleTest('bench/run')).href)
const flags = Object.entries(values).map(([name, value]) => `--${name}${value === true ? '' : `=${value}`}`)
process.exitCode = await runBenches({ root, words: [...positionals, ...flags] })
