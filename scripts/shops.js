import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './build.js'
import { bundleTest } from './bundle.js'
import { readOptions, refuse } from './options.js'

const usage = 'npm run test:shops -- [options]'
const { values } = readOptions({
  usage,
  does: 'Lives a shop day with real shop systems and the plugins of packages/, and prints its table.',
  options: {
    days: { type: 'string', value: 'N', integer: true, description: 'How many days. Default: 1.' },
    host: {
      type: 'string',
      value: 'vendure|medusa',
      description: 'The shop system. Default: both, in turn.',
    },
    from: { type: 'string', value: 'N', integer: true, description: 'Seed of the first day. Default: 1.' },
    lanes: {
      type: 'string',
      value: 'N',
      integer: true,
      description: 'Days that are lived side by side, each lane with a shop of its own. Default: 1.',
    },
    short: { type: 'boolean', description: 'Only the cases of the short form.' },
    only: {
      type: 'string',
      value: 'TEXT',
      description: 'Only cases whose name contains this text, or one of several: a|b.',
    },
    build: { type: 'boolean', description: 'Only build the package, for npm pack.' },
  },
})
const SYSTEMS = ['vendure', 'medusa'].filter((name) => isFile(join(root, 'test/shops', name, 'package.json')))
const { host } = values
if (host !== undefined && !SYSTEMS.includes(host)) refuse(usage, `There is no shop system '${host}'.`)

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function run(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  if (status === 0) return
  // Where tsc writes its errors.
  process.stdout.write(stdout ?? '')
  process.exit(1)
}

/** The packages of the host, by its own lockfile, unless they are there. */
function install(name) {
  const folder = join(root, 'test/shops', name)
  const changed = (path) => statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (changed('node_modules/.package-lock.json') > changed('package-lock.json')) return
  console.log(`${name}: installing its packages, which takes a minute or two`)
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder)
}

/** Compiles the plugin with the types of its host, and of the SDK as built. */
function buildPlugin(name) {
  const folder = join(root, 'packages', name)
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  run(process.execPath, [tsc, '-p', folder], root)
  cpSync(join(root, 'LICENSE'), join(folder, 'dist/LICENSE'))
}

/** Puts the packages into the host as npm would: the files of their archives and no others. */
function addToHost(name) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-pack-'))
  for (const [source, target] of [
    ['sdk', 'tender-sdk'],
    [name, `@tender-pay/${name}`],
  ]) {
    const into = join(root, 'test/shops', name, 'node_modules', target)
    rmSync(into, { recursive: true, force: true })
    mkdirSync(into, { recursive: true })
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
    run('npm', pack, join(root, 'packages', source))
    const [archive = ''] = readdirSync(folder)
    run('tar', ['-xzf', join(folder, archive), '-C', into, '--strip-components=1'], root)
    rmSync(join(folder, archive))
  }
  rmSync(folder, { recursive: true })
}

/** Lives the days in as many processes as there are lanes. Gives the number of lanes with a failure. */
async function live(name) {
  addToHost(name)
  const program = pathToFileURL(await bundleTest('shops/run')).href
  const days = Number(values.days ?? 1)
  const lanes = Math.max(1, Math.min(Number(values.lanes ?? 1), days))
  const codes = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const from = Number(values.from ?? 1) + lane
      const seeds = Array.from({ length: Math.ceil((days - lane) / lanes) }, (_, day) => from + day * lanes)
      const wish = { system: name, seeds, isShort: values.short ?? false, only: values.only }
      const script = `import { runDays } from ${JSON.stringify(program)}
        process.exit((await runDays(${JSON.stringify(wish)})) > 0 ? 1 : 0)`
      const [code] = await once(
        spawn(process.execPath, ['--input-type=module', '-e', script], {
          stdio: 'inherit',
        }),
        'exit',
      )
      return code
    }),
  )
  return codes.filter((code) => code !== 0).length
}

if (realpathSync(process.argv[1]) === import.meta.filename) {
  let failures = 0
  run(process.execPath, [join(root, 'scripts/build.js')], root)
  for (const name of host === undefined ? SYSTEMS : [host]) {
    install(name)
    buildPlugin(name)
    if (!values.build) failures += await live(name)
  }
  process.exit(failures > 0 ? 1 : 0)
}
