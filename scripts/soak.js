import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions, refuse } from './options.js'

const usage = 'npm run soak -- [options]'
const { values } = readOptions({
  usage,
  does: 'Keeps a service busy for hours with faults in turn, and checks that nothing grows but its tables.',
  options: {
    hours: { type: 'string', value: 'number', description: 'How long, such as 0.5. Default: 2.' },
    rate: {
      type: 'string',
      value: 'number',
      integer: true,
      description: 'Payments a second. Default: half of what a first minute reaches.',
    },
  },
})
const hours = Number(values.hours ?? 2)
if (!(hours > 0 && hours <= 168))
  refuse(usage, `Option '--hours' takes a number up to 168, not '${values.hours}'.`)
const rate = values.rate === undefined ? undefined : Number(values.rate)
if (rate === 0) refuse(usage, `Option '--rate' takes a number from 1.`)
await build()
await bundleTest('chaos/tell-memory', 'soak/tell-memory')
const { runSoak } = await import(pathToFileURL(await bundleTest('soak/run')).href)
process.exit(await runSoak({ root, hours, rate }))
