/**
 * Runs work with a concurrency limit for each owner and one in total. Further work waits in its owner's
 * queue, so one owner's slow work delays no other owner.
 */
export interface WorkQueues {
  /** Rejects at once when the owner's queue is full. */
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
}

export interface WorkQueuesOptions {
  readonly perOwner: number
  readonly total: number
  /** The longest queue of one owner. */
  readonly queued: number
}

export class QueueFullError extends Error {
  override name = 'QueueFullError'
}

interface Owner {
  running: number
  readonly queue: (() => void)[]
}

export function createWorkQueues({ perOwner, total, queued }: WorkQueuesOptions): WorkQueues {
  /** Only owners with running or queued work. */
  const owners = new Map<string, Owner>()
  let running = 0

  function next(): void {
    while (running < total) {
      const found = nextOwner()
      const start = found?.queue.shift()
      if (!start) return
      start()
    }
  }

  /** The owner with the least running work among those with queued work below their limit. */
  function nextOwner(): Owner | undefined {
    let best: Owner | undefined
    for (const owner of owners.values())
      if (owner.queue.length > 0 && owner.running < (best?.running ?? perOwner)) best = owner
    return best
  }

  return {
    run(name, work) {
      const owner = owners.get(name) ?? { running: 0, queue: [] }
      if (owner.queue.length >= queued) return Promise.reject(new QueueFullError('too many are waiting'))
      owners.set(name, owner)
      return new Promise((resolve, reject) => {
        owner.queue.push(() => {
          running++
          owner.running++
          const done = () => {
            running--
            owner.running--
            if (owner.running === 0 && owner.queue.length === 0) owners.delete(name)
            next()
          }
          work().then(resolve, reject).finally(done)
        })
        next()
      })
    },
  }
}
