import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { root } from './build.js'
import { nodeFolder } from './node-binary.js'
import { readOptions, refuse } from './options.js'

/** The oldest supported version, and the newest of each later line. */
const VERSIONS = ['20.19.0', '22', '24']

const usage = 'npm run test:runtimes -- [version…] [options]'
const { values, positionals } = readOptions({
  usage,
  does:
    `Runs the tests on each version of Node (${VERSIONS.join(', ')}), each in a clean copy of the tree ` +
    'with packages installed by npm ci. npm brings the versions of Node.',
  names: 'Versions to use instead.',
  options: { full: { type: 'boolean', description: 'Run npm run test:full after npm test.' } },
})
const wrong = positionals.find((version) => !/^\d+(\.\d+){0,2}$/.test(version))
if (wrong !== undefined) refuse(usage, `'${wrong}' is not a version of Node.`)

const commands = [['ci'], ['test'], ...(values.full ? [['run', 'test:full']] : [])]
const results = (positionals.length > 0 ? positionals : VERSIONS).map((version) => [version, runOn(version)])
console.log()
for (const [version, result] of results) console.log(`Node ${version}: ${result}`)
process.exitCode = results.every(([, result]) => result === 'passed') ? 0 : 1

function runOn(version) {
  const folder = mkdtempSync(join(tmpdir(), 'tender-runtime-'))
  try {
    const bin = nodeFolder(version, join(folder, 'node'))
    if (!bin) return 'npm could not install it'
    const cwd = join(folder, 'tree')
    copyTree(cwd)
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
    const failed = commands.find((args) => {
      console.log(`\nNode ${version}: npm ${args.join(' ')}`)
      return spawnSync('npm', args, { cwd, env, stdio: 'inherit' }).status !== 0
    })
    return failed ? `npm ${failed.join(' ')} failed` : 'passed'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The files of the project, with changes that are not committed. */
function copyTree(target) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0'))
    if (path && existsSync(join(root, path))) cpSync(join(root, path), join(target, path))
}
