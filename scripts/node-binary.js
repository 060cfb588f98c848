import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of `node` in a version, such as `22` or `20.19.0`; undefined if npm cannot install it. */
export function nodeFolder(version, folder) {
  const name = `node-${process.platform}-${process.arch}`
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${version}`]
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'ignore' })
  const bin = join(folder, 'node_modules', name, 'bin')
  const isThere = status === 0 && spawnSync(join(bin, 'node'), ['--version']).status === 0
  return isThere ? bin : undefined
}
