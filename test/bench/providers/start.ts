import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Paid, type PayPlan, PROVIDERS, type ProviderId, type Started } from './plan.ts'

/** A process with the simulator of a provider, its payers and its notifications. */
export interface ProviderProcess extends Started {
  readonly id: ProviderId
  run(plan: PayPlan): Promise<Paid>
}

export interface ProviderProcesses {
  readonly all: readonly ProviderProcess[]
  /** Settings of the service: where the simulators are, and no limit that the payers would reach. */
  readonly env: Readonly<Record<string, string>>
  stop(): void
}

export async function startProviders(root: string): Promise<ProviderProcesses> {
  const children: ChildProcess[] = []
  const stop = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', stop)
  const start = async (id: ProviderId): Promise<ProviderProcess> => {
    const child = fork(join(root, 'dist', 'bench', 'providers', 'provider.js'), [id])
    children.push(child)
    const started = (await answerOf(child)) as Started
    return { id, ...started, run: (plan) => run(child, plan) }
  }
  const all = await Promise.all(PROVIDERS.map(start))
  const origins = all.flatMap(({ id, origin }) => (origin ? [[id, origin]] : []))
  const env = { PROVIDER_ORIGINS: JSON.stringify(Object.fromEntries(origins)), RATE_LIMIT: '1000' }
  return { all, env, stop }
}

async function run(child: ChildProcess, plan: PayPlan): Promise<Paid> {
  child.send(plan)
  const answer = (await answerOf(child)) as Paid | { error: string }
  if ('error' in answer) throw new Error(answer.error)
  return answer
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const { signal } = ended
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error('the process of a provider has ended')
  })
  try {
    const [answer] = (await Promise.race([once(child, 'message', { signal }), exit])) as [unknown]
    return answer
  } finally {
    exit.catch(() => {})
    ended.abort()
  }
}
