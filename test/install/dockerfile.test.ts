import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { commandOf, copyOf, type Stage, stagesOf } from './dockerfile.ts'
import {
  giveToUser,
  makeReadOnly,
  mustRun,
  npmEnvironment,
  openFolder,
  ownFolder,
  removeTree,
  runAsUser,
  startAsUser,
} from './unprivileged.ts'

const STAGES = stagesOf(readFileSync('Dockerfile', 'utf8'))
const last = STAGES.at(-1) as Stage

/** A stage's root directory is a folder here; absolute paths of its instructions are in it. */
interface Built {
  readonly root: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

let folder: string
let image: Built

/** Runs every step of the Dockerfile as an ordinary user. Images and users do not exist here. */
beforeAll(() => {
  folder = openFolder('tender-image-')
  const home = ownFolder(join(folder, 'home'))
  const npm = npmEnvironment(home)
  const built = new Map<string, Built>()
  for (const [place, stage] of STAGES.entries()) {
    const name = stage.as ?? String(place)
    built.set(name, follow(stage, ownFolder(join(folder, `stage-${name}`)), { npm, built }))
  }
  image = [...built.values()].at(-1) as Built
  makeReadOnly(image.root)
  giveToUser(join(image.root, 'data'))
}, 600_000)
afterAll(() => folder && removeTree(folder))

interface Around {
  readonly npm: Record<string, string>
  readonly built: ReadonlyMap<string, Built>
}

function follow({ instructions }: Stage, root: string, { npm, built }: Around): Built {
  let cwd = root
  const env: Record<string, string> = {}
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') cwd = ownFolder(join(root, text))
    if (name === 'ENV')
      Object.assign(env, Object.fromEntries([inside(root, text).split('=') as [string, string]]))
    if (name === 'RUN') mustRun('sh', ['-ec', inside(root, text)], { cwd, env: npm })
    if (name === 'COPY') copy(text, { root, cwd, env }, built)
  }
  return { root, cwd, env }
}

/** Every absolute path, at the start of a word or of a value. */
function inside(root: string, text: string): string {
  expect(text, 'a path in quotes would not be found').not.toMatch(/["':(]\//)
  return text.replace(/(^|[\s=])\/(?=\w)/g, `$1${root}/`)
}

function copy(text: string, { root, cwd }: Built, built: ReadonlyMap<string, Built>): void {
  const { from, sources, target } = copyOf(text)
  const source = from === undefined ? process.cwd() : (built.get(from)?.root ?? '')
  const to = target.startsWith('/') ? join(root, target) : resolve(cwd, target)
  for (const one of sources) {
    const path = join(source, one)
    const place = target.endsWith('/') ? join(to, basename(one)) : to
    mkdirSync(resolve(place, '..'), { recursive: true })
    const filter = (name: string) => from !== undefined || !isIgnored(name.slice(source.length + 1))
    cpSync(path, place, { recursive: true, filter })
    giveToUser(place)
  }
}

const IGNORED = readFileSync('.dockerignore', 'utf8').trim().split('\n')
/** Ignored files of the project do not reach the build. */
const isIgnored = (path: string): boolean =>
  IGNORED.some((pattern) => {
    const parts = pattern.split('/')
    return (
      path.split('/').length === parts.length &&
      parts.every((part, n) => part === '*' || part === path.split('/')[n])
    )
  })

describe('the image', () => {
  it('is made in stages from Node 24, and runs as an ordinary user', () => {
    expect(STAGES.map(({ image: name }) => name)).toEqual(['node:24-bookworm-slim', 'node:24-bookworm-slim'])
    const text = (name: string) => last.instructions.find((one) => one.name === name)?.text
    expect([text('USER'), text('VOLUME'), text('EXPOSE')]).toEqual(['node', '/data', '8080'])
    const owners = last.instructions
      .filter(({ name }) => name === 'COPY')
      .map((one) => copyOf(one.text).owner)
    expect(owners).toEqual([undefined, 'node:node'])
  })

  it('contains no sources and no tools for building', () => {
    const names = readdirSync(join(image.root, 'app/node_modules'))
    for (const name of ['esbuild', '@esbuild', 'typescript', '.bin']) expect(names).not.toContain(name)
    expect(readdirSync(join(image.root, 'app')).sort()).not.toContain('scripts')
    const removed = last.instructions.filter(({ name }) => name === 'RUN').map(({ text }) => text)
    expect(removed.join(' ')).toContain('/usr/local/lib/node_modules')
  })

  it('starts on a read-only tree, is healthy, and stops by SIGTERM', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = {
      ...image.env,
      PORT: String(port),
      SECRET_KEY: 'a secret key of at least thirty-two characters',
    }
    const options = { cwd: join(image.root, 'app'), env }
    const [check = '', ...checkArgs] = commandOf(last, 'HEALTHCHECK')
    expect(runAsUser(check, checkArgs, options).status).toBe(1)
    const command = [...commandOf(last, 'ENTRYPOINT'), ...commandOf(last, 'CMD')]
    const service = await startAsUser(command, url, options)
    try {
      expect(runAsUser(check, checkArgs, options).status).toBe(0)
      expect(existsSync(join(image.root, 'data/postgres/PG_VERSION'))).toBe(true)
    } finally {
      expect(await service.stop()).toBe(0)
    }
    expect(runAsUser('touch', [join(image.root, 'app/x')], options).status).not.toBe(0)
  })
})
