import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, root } from './build.js'
import { readOptions } from './options.js'

readOptions({
  usage: 'npm run docs',
  does: 'Generates docs/reference/, .env.example, the types of packages/sdk and a table of ARCHITECTURE.md.',
})
const bundle = join(root, 'dist', 'generate-docs.js')
build('generate-docs')
const { generateDocsFrom } = await import(pathToFileURL(bundle).href)
for (const [path, text] of Object.entries(await generateDocsFrom(join(root, 'migrations')))) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(path)
}
