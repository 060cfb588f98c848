import { hookPath, type Rig } from '../chaos/rig.ts'
import { pause, type ServiceProcess } from '../support/service-process.ts'
import { armFault, clearFaults } from '../support/shoppers.ts'
import { workersOf } from './sampler.ts'
import type { FaultWindow } from './verdict.ts'

/** The webhooks of this shop are refused sometimes. Their times do not count. */
export const DEAD_PATH = hookPath(0)

interface Stage {
  readonly rig: Rig
  readonly service: ServiceProcess
}

/** Breaks something, and repairs it after this time. */
type Fault = (stage: Stage, ms: number) => Promise<void>

const SLOW = { step: 'any', effect: 'reply-late', times: 1_000, delayMs: 2_000 }

const FAULTS: Readonly<Record<string, Fault>> = {
  async 'provider slow'({ rig, service }, ms) {
    await armFault(service.url, rig.shops, SLOW)
    await pause(ms)
    await clearFaults(service.url, rig.shops)
  },
  async 'endpoint dead'({ rig }, ms) {
    rig.inbox.refuse(DEAD_PATH)
    await pause(ms)
    rig.inbox.refuse(undefined)
  },
  /** The younger one, so that the other one shows what hours do. */
  async 'worker killed'({ service }) {
    const youngest = workersOf(service.pid).at(-1)
    if (youngest === undefined) throw new Error('the service has no workers')
    process.kill(youngest, 'SIGKILL')
  },
  async 'database restarted'({ rig }) {
    await rig.postgres.restart()
  },
}

interface Plan {
  readonly everyMs: number
  readonly lastingMs: number
  /** What a fault leaves to be done afterwards. */
  readonly recoveryMs: number
  /** Seconds since the start of the measurement. */
  readonly clock: () => number
  readonly isOver: () => boolean
  readonly say: (text: string) => void
}

/** All faults in turn, with time between them, until it is over. Each is in `windows` while it lasts. */
export async function breakInTurn(stage: Stage, plan: Plan, windows: FaultWindow[]): Promise<void> {
  const names = Object.keys(FAULTS)
  for (let turn = 0; ; turn++) {
    const nextSeconds = ((turn + 1) * plan.everyMs) / 1_000
    while (plan.clock() < nextSeconds && !plan.isOver()) await pause(100)
    if (plan.isOver()) return
    const name = names[turn % names.length] ?? ''
    plan.say(name)
    const window = { name, from: plan.clock(), to: Number.POSITIVE_INFINITY }
    windows.push(window)
    await FAULTS[name]?.(stage, plan.lastingMs)
    window.to = plan.clock() + plan.recoveryMs / 1_000
  }
}
