import { STATES, type State } from '../../payments/machine.ts'
import { type Edge, edges } from '../../reference/states.ts'

/** Column and row of each state; the arrows between them come from the machine. */
const PLACES: Readonly<Record<State, readonly [column: number, row: number]>> = {
  Created: [0, 2],
  SaleInProgress: [1, 0],
  Authorizing: [1, 1],
  Approved: [1, 2],
  ProviderAuthorizedHold: [2, 0],
  Authorized: [2, 2],
  Cancelling: [2, 4],
  Capturing: [3, 2],
  Failed: [3, 4],
  CapturedHold: [3, 0],
  Captured: [4, 1],
  Refunding: [4, 3],
  Disputed: [5, 1],
  Refunded: [5, 3],
}

const WIDTH = 168
const HEIGHT = 40
const COLUMN = 224
const ROW = 92
const MARGIN = 12

const corner = (state: State): readonly [number, number] => {
  const [column, row] = PLACES[state]
  return [MARGIN + column * COLUMN, MARGIN + row * ROW]
}

const SIZE = {
  width: 2 * MARGIN + 5 * COLUMN + WIDTH,
  height: 2 * MARGIN + 4 * ROW + HEIGHT,
}

export function StateDiagram() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <figure class="diagram" tabIndex={0}>
      <svg
        role="img"
        aria-label="The states of a payment and the ways between them; the table of transitions says the same."
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        width={SIZE.width}
        height={SIZE.height}
      >
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0 8 4 0 8z" class="tip" />
          </marker>
        </defs>
        {edges().map((edge) => (
          <path class="edge" d={wayOf(edge)} marker-end="url(#tip)">
            <title>{`${edge.from} to ${edge.to}: ${edge.events.join(', ')}`}</title>
          </path>
        ))}
        {(Object.keys(STATES) as State[]).map((state) => (
          <StateBox state={state} />
        ))}
      </svg>
    </figure>
  )
}

function StateBox({ state }: { readonly state: State }) {
  const [x, y] = corner(state)
  return (
    <g class={`state ${STATES[state].kind}`}>
      <title>{STATES[state].says}</title>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="10" />
      <text x={x + WIDTH / 2} y={y + HEIGHT / 2} text-anchor="middle" dominant-baseline="central">
        {state}
      </text>
    </g>
  )
}

/** From side to side where the states stand in different columns, else from top to bottom. */
function wayOf({ from, to }: Edge): string {
  const [x1, y1] = corner(from)
  const [x2, y2] = corner(to)
  if (x1 === x2) return columnWay(x1, y1, y2)
  const forward = x2 > x1
  // Two ways between the same states must not lie upon each other.
  const shift = forward ? -6 : 6
  const start = [forward ? x1 + WIDTH : x1, y1 + HEIGHT / 2 + shift] as const
  const end = [forward ? x2 : x2 + WIDTH, y2 + HEIGHT / 2 + shift] as const
  const bend = Math.abs(end[0] - start[0]) / 2
  const side = forward ? bend : -bend
  return `M${start.join(' ')} C${start[0] + side} ${start[1]} ${end[0] - side} ${end[1]} ${end.join(' ')}`
}

function columnWay(x: number, y1: number, y2: number): string {
  const down = y2 > y1
  const middle = x + WIDTH / 2 + (down ? 12 : -12)
  return `M${middle} ${down ? y1 + HEIGHT : y1} L${middle} ${down ? y2 : y2 + HEIGHT}`
}
