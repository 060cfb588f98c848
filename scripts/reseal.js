import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm run reseal',
  does:
    'Finishes a change of SECRET_KEY: seals everything by its first key and revokes the keys that licence ' +
    'codes gave out under an earlier one. All nodes must run with both keys. Settings come from the ' +
    'environment, as for npm start.',
})
await build('reseal/reseal')
const { reseal } = await import(pathToFileURL(join(root, 'dist', 'reseal/reseal.js')).href)
try {
  for (const line of await reseal(process.env, console.log)) console.log(line)
} catch (error) {
  console.error(error.name === 'StartError' ? error.message : error)
  process.exitCode = 1
}
