import { expect, it } from 'vitest'
import { createWorkQueues, QueueFullError, type WorkQueues } from './work-queues.ts'

/** Work that runs until it is released. */
function gates(queues: WorkQueues) {
  const started: string[] = []
  const open = new Map<string, () => void>()
  const run = (owner: string, n: number) =>
    queues.run(owner, () => {
      const name = `${owner}${n}`
      started.push(name)
      return new Promise<string>((resolve) => open.set(name, () => resolve(name)))
    })
  return { started, run, end: (name: string) => open.get(name)?.() }
}

it('runs the work of an owner in order, within its limit', async () => {
  const { started, run, end } = gates(createWorkQueues({ perOwner: 2, total: 10, queued: 10 }))
  const first = run('a', 1)
  for (const n of [2, 3, 4]) void run('a', n)
  expect(started).toEqual(['a1', 'a2'])
  end('a1')
  expect(await first).toBe('a1')
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3'])
})

it('a free slot goes to the owner with the least running work', async () => {
  const { started, run, end } = gates(createWorkQueues({ perOwner: 3, total: 4, queued: 10 }))
  for (const n of [1, 2, 3, 4, 5]) void run('a', n)
  for (const n of [1, 2]) void run('b', n)
  void run('c', 1)
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1'])
  end('a1')
  await expect.poll(() => started.slice(4)).toEqual(['c1'])
  end('a2')
  await expect.poll(() => started.slice(5)).toEqual(['a4'])
})

it('rejects work when the queue of its owner is full, and frees the slot of failed work', async () => {
  const queues = createWorkQueues({ perOwner: 1, total: 2, queued: 1 })
  const failing = queues.run('a', () => Promise.reject(new Error('broken')))
  const waiting = queues.run('a', async () => 'done')
  await expect(queues.run('a', async () => '')).rejects.toThrow(QueueFullError)
  await expect(failing).rejects.toThrow('broken')
  expect(await waiting).toBe('done')
})
