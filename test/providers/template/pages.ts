import type { SimulatedReply, SimulatedRequest } from '../kit/simulator.ts'
import type { State } from './state.ts'

/**
 * The hosted page. It works in a browser without script: GET shows the amount and one button for each act of
 * a payer (a form with `act`), POST carries it out and sends the payer back with 303.
 */
export function servePage(_state: State, { url }: SimulatedRequest): SimulatedReply {
  const problem = `acorn-pay: pages.ts: servePage is not implemented, so ${url.pathname} has no page`
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: problem }
}
