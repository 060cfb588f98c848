import { pathToFileURL } from 'node:url'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm run simulate -- [options]',
  does: 'Runs the whole service in simulated worlds, one for each seed, and checks every invariant.',
  options: {
    seeds: { type: 'string', value: 'count', integer: true, says: 'How many seeds; 100 by default.' },
    from: { type: 'string', value: 'seed', integer: true, says: 'The first of them; 1 by default.' },
    seed: { type: 'string', value: 'seed', integer: true, says: 'Only this seed, with its history.' },
    bug: { type: 'string', value: 'name', says: 'Plant a bug that must be found.' },
  },
})

/**
 * Bundles the simulation and runs it in this process; it starts copies of itself, one for each core. It lies
 * as far from the assets as the service does.
 */
const outfile = bundleTest('simulate/run', 'simulate')
process.argv[1] = outfile
await import(pathToFileURL(outfile).href)
