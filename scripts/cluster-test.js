import { pathToFileURL } from 'node:url'
import { build } from './build.js'
import { bundleTest } from './bundle.js'

/** `npm run cluster-test`: a primary and its standby, three nodes, load; the primary is killed. */
build()
const { runClusterTest } = await import(pathToFileURL(bundleTest('cluster/run')).href)
process.exit(await runClusterTest())
