import { pathToFileURL } from 'node:url'
import { build } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions, refuse } from './options.js'

const usage = 'npm run cluster-test -- [patroni [scenario...]]'
const { positionals } = readOptions({
  usage,
  does: `Starts a primary, its standby and three nodes, puts load on them and kills the primary.
With patroni: three servers with Patroni and etcd, automatic failover, cut networks, rolling restarts.`,
  names: `Scenarios of patroni: all, or some of them. The table at the end names them.`,
})
const [kind, ...names] = positionals
if (kind !== undefined && kind !== 'patroni') refuse(usage, `Unknown argument '${kind}'.`)
await build()
const load = async (name, as) => import(pathToFileURL(await bundleTest(name, as)).href)
if (kind === 'patroni') {
  const { launchPatroniTest } = await load('cluster/patroni/launch', 'cluster/patroni-launch')
  process.exit(await launchPatroniTest(await bundleTest('cluster/patroni/run', 'cluster/patroni-run'), names))
}
const { runClusterTest } = await load('cluster/run')
process.exit(await runClusterTest())
