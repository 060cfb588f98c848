import { pathToFileURL } from 'node:url'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm run simulate -- [options]',
  does: 'Runs the service in a deterministic simulation for each seed and checks every invariant.',
  options: {
    seeds: { type: 'string', value: 'count', integer: true, description: 'Number of seeds. Default: 100.' },
    from: { type: 'string', value: 'seed', integer: true, description: 'First seed. Default: 1.' },
    seed: {
      type: 'string',
      value: 'seed',
      integer: true,
      description: 'Run only this seed and print its history.',
    },
    settlements: {
      type: 'boolean',
      description: 'Run only seeds of the sandbox, whose settlement reports have planted faults.',
    },
    workers: {
      type: 'string',
      value: 'count',
      integer: true,
      description: 'Number of processes. Default: one for each core.',
    },
    bug: { type: 'string', value: 'name', description: 'Enable a known bug, which the run must detect.' },
  },
})

/**
 * Bundles the simulation and runs it in this process; it starts one copy per core. Its folder depth equals
 * that of the service, so that relative paths to the assets work.
 */
const outfile = await bundleTest('simulate/run', 'simulate')
process.argv[1] = outfile
await import(pathToFileURL(outfile).href)
