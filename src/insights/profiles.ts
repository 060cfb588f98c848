import type { Overview } from './overview.ts'

/** How a profile did in a period. */
export interface ProfileFigures {
  /** Payments that were approved, declined or blocked by a fraud policy. */
  readonly attempts: number
  readonly approvalRate: number | null
  readonly p95Ms: number | undefined
  /** Never converted. Most payments first. */
  readonly fees: readonly { readonly currency: string; readonly feeMinor: bigint }[]
}

/** By profile; those without payments in the period have no entry. */
export function profileFigures({ providers, latencies }: Overview): ReadonlyMap<number, ProfileFigures> {
  const ids = [...new Set(providers.map(({ profileId }) => profileId))]
  return new Map(ids.map((id) => [id, figuresOf(id)]))

  function figuresOf(profileId: number): ProfileFigures {
    const sums = providers.filter((sum) => sum.profileId === profileId)
    const attempts = sums.reduce((all, sum) => all + sum.attempts, 0)
    const approved = sums.reduce((all, sum) => all + sum.approved, 0)
    return {
      attempts,
      approvalRate: attempts === 0 ? null : approved / attempts,
      p95Ms: latencies.find((one) => one.profileId === profileId)?.p95Ms,
      fees: sums.map(({ currency, feeMinor }) => ({ currency, feeMinor })),
    }
  }
}
