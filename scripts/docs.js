import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { readOptions, refuse } from './options.js'

const usage = 'npm run docs -- [statements]'
const { positionals } = readOptions({
  usage,
  does: 'Generates docs/reference/, .env.example, the clients in packages and a table of ARCHITECTURE.md.',
  names: 'With `statements` it prints every SQL statement as PostgreSQL receives it, and writes no file.',
})
const [what, ...more] = positionals
if (more.length > 0 || (what !== undefined && what !== 'statements'))
  refuse(usage, `Unexpected argument '${more[0] ?? what}'.`)
const bundle = join(root, 'dist', 'generate-docs.js')
await build('generate-docs')
const { generateDocsFrom, printStatements } = await import(pathToFileURL(bundle).href)
if (what === 'statements') {
  // The reader, such as `head`, may end before the text does.
  process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1))
  process.stdout.write(printStatements())
} else
  for (const [path, text] of Object.entries(await generateDocsFrom(join(root, 'migrations')))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(path)
  }
