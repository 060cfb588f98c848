import { composeServer } from '../../src/app.ts'
import type { Context } from '../../src/context.ts'
import type { Server } from '../../src/http/server.ts'
import type { Job } from '../../src/jobs/loop.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'

/** What is new with each process: all that it remembers hangs on its context. */
interface Life {
  readonly ctx: Context
  readonly sandbox: Sandbox
  readonly jobs: readonly Job[]
}

/** A server that is made once, and answers for one node after another. */
export interface Shell {
  readonly fastify: Server['fastify']
  /** From here on this is the node. */
  enter(life: Life): void
}

const free: Shell[] = []

/**
 * Routes are the same for every node, and making them was a twentieth of what a seed costs. Nobody may take
 * over the shell of a node that died in the same world: what slept there while it died wakes up as the other.
 */
export const takeShell = (config: Context['config']): Shell => free.pop() ?? createShell(config)

/** When their world has ended. */
export const giveBack = (shells: readonly Shell[]): void => void free.push(...shells)

const OF_A_LIFE = [
  'db',
  'vault',
  'http',
  'post',
  'providers',
  'signals',
  'background',
  'node',
  'recordCalls',
] as const

function createShell(config: Context['config']): Shell {
  let life: Life | undefined
  const lived = (): Life => {
    if (!life) throw new Error('a route keeps what belongs to one process')
    return life
  }
  const ctx = {
    ...{ config, clock: follow(() => lived().ctx.clock, ['now', 'sleep']) },
    random: follow(() => lived().ctx.random, ['bytes']),
    log: follow(() => lived().ctx.log, ['debug', 'info', 'warn', 'error']),
  }
  Object.defineProperties(ctx, Object.getOwnPropertyDescriptors(follow(() => lived().ctx, OF_A_LIFE)))
  const sandbox = follow(
    () => lived().sandbox,
    ['adapter', 'bank', 'openAccount', 'publishableKey', 'browser', 'control'],
  )
  const jobs: Job[] = []
  return {
    fastify: composeServer(ctx as Context, sandbox, jobs).fastify,
    enter(next) {
      life = next
      jobs.splice(0, jobs.length, ...next.jobs)
    },
  }
}

/** Each member is read anew whenever it is asked for. */
function follow<T extends object, Name extends keyof T>(
  current: () => T,
  names: readonly Name[],
): Pick<T, Name> {
  const followed = {} as Pick<T, Name>
  for (const name of names)
    Object.defineProperty(followed, name, { get: () => current()[name], enumerable: true })
  return followed
}
