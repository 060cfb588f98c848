import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions, refuse } from './options.js'

const usage = 'npm run upgrade-data -- <checkout>'
const { positionals } = readOptions({
  usage,
  does:
    'Builds and runs the version of Tender in a checkout with node_modules, makes payments by its API, and ' +
    'stores its rows in test/upgrade/generated, for the test of upgrades. Run it for each release.',
  names: 'The folder of the checkout.',
})
const [checkout, ...more] = positionals
if (checkout === undefined || more.length > 0) refuse(usage, 'Give one folder.')
const tree = resolve(checkout)
const { status } = spawnSync(process.execPath, ['scripts/build.js'], { cwd: tree, stdio: 'inherit' })
if (status !== 0) process.exit(1)
const { record } = await import(pathToFileURL(await bundleTest('upgrade/record')).href)
console.log(await record(tree, resolve(root, 'test/upgrade/generated')))
