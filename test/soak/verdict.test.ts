import { expect, it } from 'vitest'
import { judge, LIMITS, type Sample } from './verdict.ts'

const WARM_UP = 900
const EVERY = 10
const COUNT = 720

/** Between -1 and 1, the same in each run. */
const noise = (n: number): number => (((n * 7_919) % 1_009) / 1_009) * 2 - 1

const STEADY: Readonly<Record<string, number>> = {
  ...{ 'primary MB': 90, 'worker MB': 180, 'postgres MB': 120, files: 120, connections: 22 },
  ...{ 'p99 ms': 80, 'lag ms': 200 },
}

interface Course {
  /** The value of a key at a sample, if it is not steady. */
  readonly of?: (key: string, n: number, steady: number) => number
  readonly kbOf?: (n: number) => number
}

/** Two hours at ten payments a second; every value is up to a fifth higher or lower by chance. */
function course({ of = (_key, _n, steady) => steady, kbOf = () => 20 }: Course = {}): Sample[] {
  let bytes = 5e7
  return Array.from({ length: COUNT }, (_, n) => {
    bytes += kbOf(n) * 1_024 * 10 * EVERY * (1 + 0.2 * noise(n))
    const values = Object.entries(STEADY).map(([key, steady], place) => [
      key,
      of(key, n, steady) * (1 + 0.2 * noise(n + place * 131)),
    ])
    return {
      at: (n + 1) * EVERY,
      values: { payments: n * 10 * EVERY, ...Object.fromEntries(values) },
      tables: { payments: bytes },
    }
  })
}

const wrong = (samples: readonly Sample[], faults: Parameters<typeof judge>[0]['faults'] = []): string[] =>
  judge({ samples, faults, warmUp: WARM_UP })
    .filter(({ ok }) => !ok)
    .map(({ name }) => name)

it('noise is not a rise', () => expect(wrong(course())).toEqual([]))

it.each(LIMITS.map(({ key, name }) => [key, name]))('a rise of %s by half is seen', (key, name) => {
  // Times vary more than sizes do: they must double.
  const rise = key.endsWith(' ms') ? 6 : 0.7
  const of = (each: string, n: number, steady: number) =>
    each === key ? steady * (1 + (rise * n) / COUNT) : steady
  expect(wrong(course({ of }))).toEqual([name])
})

it('what happens while the process warms up does not count', () => {
  const of = (key: string, n: number, steady: number) =>
    key === 'worker MB' && n * EVERY < WARM_UP ? steady / 4 : steady
  expect(wrong(course({ of }))).toEqual([])
})

it('what happens during a fault does not count', () => {
  const faults = [{ name: 'provider slow', from: 5_000, to: 7_300 }]
  const of = (key: string, n: number, steady: number) =>
    key === 'p99 ms' && n * EVERY >= 4_990 ? steady + 2_000 : steady
  expect(wrong(course({ of }), faults)).toEqual([])
  expect(wrong(course({ of }))).toEqual(['p99 of requests'])
})

it('bytes that each payment adds may not rise', () => {
  expect(wrong(course({ kbOf: (n) => 20 + (14 * n) / COUNT }))).toEqual(['bytes that a payment adds'])
})

it('values that are missing prove nothing', () => {
  const samples = course().map((sample) => ({ ...sample, values: { payments: sample.values.payments ?? 0 } }))
  expect(wrong(samples)).toEqual(LIMITS.map(({ name }) => name))
})

it('a moment without a database is left out', () => {
  const samples = course().map((sample, n) =>
    n % 50 === 0 ? { ...sample, tables: {}, values: { ...sample.values, connections: Number.NaN } } : sample,
  )
  expect(wrong(samples)).toEqual([])
})
