import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestService, type TestService } from '../support/tender.ts'
import { fuzz } from './fuzz.ts'
import { failureText } from './report.ts'

/** A few hundred requests of `npm run fuzz`. Add seeds that failed there. */
const SEEDS = inject('isFull') ? [2] : [1]
const REQUESTS = 250

describe('the service under seeded requests', () => {
  let tender: TestService
  beforeAll(async () => {
    tender = await startTestService(`fuzz_${SEEDS[0]}`, { rateLimit: 1_000_000 })
  })
  afterAll(() => tender.stop())

  it.each(SEEDS)('returns a declared response to each, seed %i', { timeout: 180_000 }, async (seed) => {
    const { url, databaseUrl, operatorToken } = tender
    const secrets = [operatorToken, databaseUrl]
    const result = await fuzz({ url, databaseUrl, operatorToken, secrets, seed, requests: REQUESTS })
    expect(result.found.map((failure) => failureText(failure, seed))).toEqual([])
    expect(result.disagreements).toEqual([])
  })
})
