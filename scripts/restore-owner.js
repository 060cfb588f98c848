import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { readOptions, refuse } from './options.js'

const usage = 'npm run restore-owner -- <e-mail>'
const { positionals } = readOptions({
  usage,
  does:
    'Prints a link with which an owner chooses a new password. It also removes the second factor, passkeys ' +
    'and identities, works once and for an hour. Settings come from the environment, as for npm start.',
  names: 'The e-mail address of an owner.',
})
const [email, ...more] = positionals
if (email === undefined || more.length > 0) refuse(usage, 'Give one e-mail address.')
await build('restore-owner')
const { restoreOwner } = await import(pathToFileURL(join(root, 'dist', 'restore-owner.js')).href)
try {
  console.log(await restoreOwner(process.env, email))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
