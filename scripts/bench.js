import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

const { values, positionals } = readOptions({
  usage: 'npm run bench -- [name…] [options]',
  does: 'Builds the service and the benchmarks, and runs the named ones.',
  names: [
    'Names: create, life, read, auto, providers, checkout, start, memory, webhooks, simulate, growth,',
    'neighbours, console, settlements, cards, imports, entries, garbage, size, limit, steps, api-log,',
    'metrics, traces, or all. Default: all but growth, neighbours, console, settlements, cards, imports,',
    'entries, garbage, size, limit, steps, api-log, metrics and traces. See docs/guides/performance.md.',
  ].join('\n'),
  options: {
    profile: { type: 'boolean', description: 'Write CPU profiles.' },
    workers: { type: 'string', value: 'count', description: 'Number of service processes, or auto.' },
    write: { type: 'boolean', description: 'Write the figures to docs/guides/performance.md.' },
  },
})
await build()
// Each runs in its own process; use-names runs in that of the service.
for (const name of ['receiver', 'load', 'noise', 'bank/bank', 'neighbours/use-names', 'providers/provider'])
  await bundleTest(`bench/${name}`)
const { runBenches } = await import(pathToFileURL(await bundleTest('bench/run')).href)
const flags = Object.entries(values).map(([name, value]) => `--${name}${value === true ? '' : `=${value}`}`)
process.exitCode = await runBenches({ root, words: [...positionals, ...flags] })
