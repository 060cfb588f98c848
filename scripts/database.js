import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { readOptions, refuse } from './options.js'

const COMMANDS = {
  backup: {
    program: 'backup/back-up',
    call: 'backUp',
    does:
      'Writes the embedded database and the generated secrets into one archive. ' +
      'The service may be running.',
  },
  restore: {
    program: 'backup/restore',
    call: 'restore',
    does: 'Restores an archive of npm run backup into an empty DATA_DIR. The service must not be running.',
    options: {
      unverified: { type: 'boolean', description: 'Restore an archive that no key of SECRET_KEY signed.' },
    },
  },
}

const [name, ...args] = process.argv.slice(2)
const { program, call, does, options } = COMMANDS[name]
const usage = `npm run ${name} -- <file>`
const { positionals, values } = readOptions({ usage, does, options, names: 'The file of the archive.' }, args)
const [file, ...more] = positionals
if (file === undefined || more.length > 0) refuse(usage, 'Give one file.')
await build(program)
const commands = await import(pathToFileURL(join(root, 'dist', `${program}.js`)).href)
try {
  console.log(await commands[call](process.env, file, name === 'restore' ? values : undefined))
} catch (error) {
  console.error(error.name === 'StartError' ? error.message : error)
  process.exitCode = 1
}
