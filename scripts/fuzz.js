import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { bundleTest } from './bundle.js'

/** `npm run fuzz -- --requests 10000 --seed 1`: builds the service and sends it seeded requests. */
const words = process.argv.slice(2)
if (!words.includes('--help')) build()
bundleTest('fuzz/probe')
const { runFuzz } = await import(pathToFileURL(bundleTest('fuzz/run')).href)
process.exit(await runFuzz(root, words))
