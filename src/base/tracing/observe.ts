import { type Meter, outcomeOf } from '../metrics/meter.ts'
import { inSpan, type Tracer } from './tracer.ts'

/** Metrics and traces; either is absent while it is off. */
export interface Observers {
  readonly meter?: Meter
  readonly tracer?: Tracer
}

/** Does the work, which is a call to a provider with all its requests. */
export function observeCall<T>(
  { meter, tracer }: Observers,
  provider: string,
  step: string,
  work: () => Promise<T>,
): Promise<T> {
  const counted = meter ? () => meter.call(provider, step, work) : work
  if (!tracer) return counted()
  const attributes = { 'tender.provider': provider, 'tender.step': step }
  return inSpan(tracer, { name: `${provider} ${step}`, attributes }, async (span) => {
    const result = await counted()
    span?.setAttribute('tender.outcome', outcomeOf(result))
    return result
  })
}

/** A payment entered the state. */
export function observeState({ meter, tracer }: Observers, state: string, isSandbox: boolean): void {
  meter?.entered(state, isSandbox)
  tracer?.current()?.addEvent('payment.state_changed', { 'tender.payment.state': state })
}
