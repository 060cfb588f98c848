import { pathToFileURL } from 'node:url'
import { build } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm run cluster-test',
  does: 'Starts a primary, its standby and three nodes, puts load on them and kills the primary.',
})
build()
const { runClusterTest } = await import(pathToFileURL(bundleTest('cluster/run')).href)
process.exit(await runClusterTest())
