import { execFile } from 'node:child_process'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './build.js'
import { readOptions } from './options.js'

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64']
const LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** Optional packages that an entry names and that have no entry: [name, version, entry that names them]. */
export function missingEntries({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesOf(path, name).some((place) => packages[place]))
      .map(([name, version]) => ({ name, version, by: packages[path] })),
  )
}

/** Where Node looks for a package, beginning in the folder of `path`. */
function placesOf(path, name) {
  const parts = path === '' ? [] : path.split(/(?:^|\/)node_modules\//).slice(1)
  return [...parts.keys(), parts.length].map((count) =>
    [...parts.slice(0, count), name].map((part) => `node_modules/${part}`).join('/'),
  )
}

/**
 * The entry of a package for another platform. Its name says the platform, and the package that needs it the
 * version. The checksum is added from the registry, where that offers the package.
 */
function entryOf({ name, version, by }) {
  const words = name.split(/[/-]/)
  const library = words.map((word) => LIBRARIES[word]).find(Boolean)
  return {
    version,
    cpu: words.filter((word) => PROCESSORS.includes(word)),
    ...(by.dev && { dev: true }),
    ...(library && { libc: [library] }),
    optional: true,
    os: words.filter((word) => SYSTEMS.includes(word)),
  }
}

/** Adds what is missing, in npm's order. */
export function complete(lockfile) {
  const added = missingEntries(lockfile).map((one) => [`node_modules/${one.name}`, entryOf(one)])
  const packages = [...Object.entries(lockfile.packages), ...added]
  packages.sort(([one], [other]) => one.localeCompare(other, 'en'))
  return { ...lockfile, packages: Object.fromEntries(packages) }
}

/** Packages without a checksum, which npm would install without a check of their content. */
export const withoutChecksum = ({ packages }) =>
  Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.link && !entry.integrity)

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Adds the checksums that `checksumOf(name, version)` knows. The file names no registry, so only a checksum
 * ties an entry to its content.
 */
export async function withChecksums(lockfile, checksumOf) {
  const packages = { ...lockfile.packages }
  for (const [path, { version, ...rest }] of withoutChecksum(lockfile)) {
    const integrity = await checksumOf(nameOf(path), version)
    if (integrity !== undefined) packages[path] = { version, integrity, ...rest }
  }
  return { ...lockfile, packages }
}

/** From the registry that npm is set up with; undefined when it does not offer this version. */
async function checksumInRegistry(name, version) {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, 'dist.integrity'])
    return /^sha512-[\w+/]{86}==$/.test(stdout.trim()) ? stdout.trim() : undefined
  } catch {
    return undefined
  }
}

if (realpathSync(process.argv[1]) === import.meta.filename) {
  readOptions({
    usage: 'npm run lockfile',
    does:
      'Adds packages of other platforms that npm left out of package-lock.json, because the registry does ' +
      'not offer them here. Without them npm ci fails. Adds missing checksums from the registry.',
  })
  const path = join(root, 'package-lock.json')
  const lockfile = JSON.parse(readFileSync(path, 'utf8'))
  const completed = await withChecksums(complete(lockfile), checksumInRegistry)
  writeFileSync(path, `${JSON.stringify(completed, null, 2)}\n`)
  const rest = withoutChecksum(completed).map(([at]) => nameOf(at))
  console.log(`${missingEntries(lockfile).length} added`)
  if (rest.length > 0)
    console.log(`without a checksum, as the registry does not offer them: ${rest.join(', ')}`)
}
