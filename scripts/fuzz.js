import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions } from './options.js'

const { values } = readOptions({
  usage: 'npm run fuzz -- [options]',
  does:
    'Sends valid, nearly valid and hostile requests to every operation of the OpenAPI document and to the\n' +
    "pages, checks each response, and compares payments with the bank's ledger at the end.",
  options: {
    requests: {
      type: 'string',
      value: 'count',
      integer: true,
      description: 'Number of requests. Default: 10000.',
    },
    seed: {
      type: 'string',
      value: 'seed',
      integer: true,
      description: 'Seed of the request generator. Default: 1.',
    },
  },
})
await build()
await bundleTest('fuzz/probe')
const { runFuzz } = await import(pathToFileURL(await bundleTest('fuzz/run')).href)
const { requests = 10_000, seed = 1 } = values
process.exit(await runFuzz(root, { requests: Number(requests), seed: Number(seed) }))
