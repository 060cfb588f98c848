import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, buildCli, bundleProgram, root } from './build.js'
import { readOptions } from './options.js'

/** Programs of the service that `tender` loads. */
const PROGRAMS = [
  'main',
  'restore-owner',
  'backup/back-up',
  'backup/restore',
  'reseal/reseal',
  'doctor/examine',
]
/** Sources that the service serves in their built form. */
const BUILT_ASSETS = [
  'src/web/assets/checkout.css',
  'src/web/client/checkout.ts',
  'src/web/console/assets/console.css',
  'src/web/console/client/console.ts',
]
/** Copied as they are, at the same paths: programs find them relative to themselves. */
const COPIED = [
  'LICENSE',
  'CHANGELOG.md',
  '.env.example',
  'migrations',
  'docs/guides',
  'docs/images',
  'docs/reference',
  'src/web/assets/docs.css',
  'src/web/assets/docs.js',
]
/**
 * Assembles the package for npm in a folder: built programs and assets, migrations, documents. Decision 0133.
 */
export async function assemble(folder = join(root, 'dist/package')) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'dist'), { recursive: true })
  for (const name of PROGRAMS)
    await bundleProgram({
      entryPoints: [join(root, 'src', `${name}.ts`)],
      outfile: join(folder, 'dist', `${name}.js`),
    })
  await buildCli(join(folder, 'dist/tender.js'), 'service')
  for (const path of COPIED) cpSync(join(root, path), join(folder, path), { recursive: true })
  cpSync(join(root, 'packages/service/README.md'), join(folder, 'README.md'))
  await writeAssets(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description(), null, 2)}\n`)
  return folder
}

async function writeAssets(folder) {
  await build('web/kit/assets/build-asset')
  const program = pathToFileURL(join(root, 'dist/web/kit/assets/build-asset.js')).href
  const { buildAsset, BUILT } = await import(program)
  for (const path of BUILT_ASSETS) {
    const target = join(folder, `${path}${BUILT}`)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, buildAsset(join(root, path)))
  }
}

/** The name and the program are those of packages/service, the rest is that of the project. */
function description() {
  const { version, license, type, engines, dependencies, ...project } = read('package.json')
  const { optionalDependencies, peerDependencies, peerDependenciesMeta } = project
  const { private: _, ...own } = read('packages/service/package.json')
  return {
    ...own,
    version,
    license,
    type,
    engines,
    dependencies,
    optionalDependencies,
    peerDependencies,
    peerDependenciesMeta,
  }
}

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

if (realpathSync(process.argv[1]) === import.meta.filename) {
  readOptions({
    usage: 'npm run package',
    does: 'Assembles the package of the service in dist/package. `npm pack ./dist/package` packs it.',
  })
  const folder = await assemble()
  console.log(`${folder}: ${readdirSync(folder, { recursive: true }).length} entries`)
}
