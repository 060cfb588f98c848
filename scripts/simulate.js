import { pathToFileURL } from 'node:url'
import { bundleTest } from './bundle.js'

/**
 * Bundles the simulation and runs it in this process; it starts copies of itself, one for each core. It lies
 * as far from the assets as the service does.
 */
const outfile = bundleTest('simulate/run', 'simulate')
process.argv[1] = outfile
await import(pathToFileURL(outfile).href)
