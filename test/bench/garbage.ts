import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bench, Figure } from './bench.ts'
import { type Frame, type Inspected, inspectService, type Node } from './inspector.ts'
import { allArrived, shopsOf } from './life.ts'
import { pause, type Rig } from './rig.ts'

const APPS = 24
/** Few at a time: a machine with other work changes nothing then. */
const CONNECTIONS = 8
const WARMING_SECONDS = 10
const SECONDS = 10
const IDLE_MS = 5_000
const SITES = 30
const TARGET_MB = 0.35

/**
 * What the service allocates for a payment in one step, by call site: a sampled profile of all allocations,
 * also of those that were collected meanwhile. What it allocates without payments in that time is left out.
 */
export const garbage: Bench = {
  name: 'garbage',
  onlyByName: true,
  bankApart: true,
  inspected: true,
  async run(rig, say) {
    const apps = await shopsOf(rig, APPS)
    const lives = async (from: number, seconds: number) => {
      const plan = { scenario: 'life', apps, connections: CONNECTIONS, from: from * APPS, seconds } as const
      const { count } = await rig.load(plan)
      await allArrived(rig)
      return count
    }
    await lives(0, WARMING_SECONDS)
    const service = await inspectService(rig.inspectPort ?? 0)
    const idle = await profileOf(service, () => pause(IDLE_MS))
    let count = 0
    const busy = await profileOf(service, async () => {
      count = await lives(1_000_000, SECONDS)
    })
    service.close()
    say(`${count} payments`)
    return figuresOf(await sitesOf(rig, busy.head), { idle, busy, count })
  },
}

interface Profiled {
  readonly head: Node
  readonly ms: number
}

async function profileOf({ send }: Inspected, act: () => Promise<unknown>): Promise<Profiled> {
  const startMs = performance.now()
  await send('HeapProfiler.startSampling', {
    samplingInterval: 16_384,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  await act()
  const { profile } = await send('HeapProfiler.stopSampling')
  return { head: profile.head, ms: performance.now() - startMs }
}

const bytesOf = ({ selfSize, children }: Node): number =>
  children.reduce((sum, child) => sum + bytesOf(child), selfSize)

/** Bytes by the place in the sources, or by the name of a library. */
async function sitesOf({ root }: Rig, head: Node): Promise<Map<string, number>> {
  const program = pathToFileURL(join(root, 'dist', 'main.js')).href
  const map = new SourceMap(JSON.parse(await readFile(join(root, 'dist', 'main.js.map'), 'utf8')))
  const sites = new Map<string, number>()
  const visit = ({ callFrame, selfSize, children }: Node, outer: string) => {
    const own = siteOf(callFrame, program, map)
    const site = own ?? outer
    if (selfSize > 0) sites.set(site, (sites.get(site) ?? 0) + selfSize)
    for (const child of children) visit(child, site)
  }
  visit(head, '(native)')
  return sites
}

/** Undefined for functions of the language, such as JSON.parse: they count for who calls them. */
function siteOf({ url, functionName, lineNumber, columnNumber }: Frame, program: string, map: SourceMap) {
  if (url === '') return undefined
  const name = functionName || '(anonymous)'
  if (url === program) {
    const entry = map.findEntry(lineNumber, columnNumber)
    const source = 'originalSource' in entry ? entry.originalSource.replace(/^(\.\.\/)+/, '') : 'main.js'
    return `${name} ${source}`
  }
  const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
  return `${name} ${library ?? url.replace(/^node:/, 'node:')} ${library ? basename(url) : ''}`.trimEnd()
}

interface Measured {
  readonly idle: Profiled
  readonly busy: Profiled
  readonly count: number
}

function figuresOf(sites: ReadonlyMap<string, number>, { idle, busy, count }: Measured): Figure[] {
  const idleBytes = (bytesOf(idle.head) / idle.ms) * busy.ms
  const mb = (bytesOf(busy.head) - idleBytes) / count / 2 ** 20
  const idleKb = (bytesOf(idle.head) / idle.ms) * (1_000 / 1_024)
  const top = [...sites].sort(([, a], [, b]) => b - a).slice(0, SITES)
  return [
    {
      what: 'allocated for a payment in one step',
      value: `${mb.toFixed(3)} MB`,
      target: `≤ ${TARGET_MB} MB`,
      ok: mb <= TARGET_MB,
      numbers: { mb, count },
    },
    { what: 'allocated in a second without payments', value: `${idleKb.toFixed(0)} KB`, numbers: { idleKb } },
    ...top.map(([what, bytes]) => {
      const kb = bytes / count / 1_024
      return { what, value: `${kb.toFixed(1)} KB`, numbers: { kb } }
    }),
  ]
}
