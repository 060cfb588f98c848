import { parseMinor } from '../../src/base/money.ts'
import { type PaymentRow, rows, type Scene } from './scene.ts'

/** An action that a merchant was told is running or done. */
export interface Promised {
  readonly paymentId: number
  readonly action: string
  /** As it was sent; undefined when it was not. */
  readonly amount: string | undefined
  readonly key: string | undefined
}

const ACTION = /^payments\/(\d+)\/(capture|cancel|refund)(?:\?amount=([\d.]+))?$/

export function promiseOf(path: string, key: string | undefined): Promised | undefined {
  const [, paymentId, action, amount] = ACTION.exec(path) ?? []
  return paymentId && action ? { paymentId: Number(paymentId), action, amount, key } : undefined
}

interface Operation {
  app_id: string
  payment_id: string
  step: string
  amount_minor: string
  request_key: string | null
}

const OPERATIONS = `
  select app_id, payment_id, step, amount_minor, request_key from operations
  where step in ('capture', 'refund') order by app_id, payment_id, operation_key`

/** What was answered with 200 happened: the provider was asked for this amount, or it was so already. */
export async function promisesAreKept(scene: Scene): Promise<string[]> {
  const asked = new Map<string, Operation[]>()
  for (const operation of await rows<Operation>(scene.world, OPERATIONS)) {
    const key = `${operation.app_id} ${operation.payment_id}`
    asked.set(key, [...(asked.get(key) ?? []), operation])
  }
  const payments = new Map(scene.payments.map((row) => [`${row.app_id} ${row.payment_id}`, row]))
  return scene.merchants.flatMap(({ appId, promised }) =>
    promised.flatMap((promise) => {
      const id = `${appId} ${promise.paymentId}`
      const payment = payments.get(id)
      if (payment && isKept(scene, payment, promise, asked.get(id) ?? [])) return []
      const { action, paymentId, amount = 'no amount', key = 'no key' } = promise
      return [`${action} of payment ${paymentId} (${amount}, ${key}) was answered 200 and never happened`]
    }),
  )
}

function isKept(
  scene: Scene,
  payment: PaymentRow,
  { action, amount, key }: Promised,
  operations: readonly Operation[],
): boolean {
  const history = scene.historyOf(payment)
  if (action === 'cancel') return history.includes('Cancelling') || payment.state === 'Failed'
  const minor = amount === undefined ? undefined : String(parseMinor(amount, payment.currency))
  const asked = operations.filter(({ step }) => step === action)
  if (action === 'capture') {
    const whole = minor ?? payment.amount_minor
    return payment.captured_minor === whole || asked.some(({ amount_minor }) => amount_minor === whole)
  }
  if (minor === undefined && key === undefined)
    return history.includes('Refunding') || history.includes('Refunded')
  return asked.some(
    ({ amount_minor, request_key }) =>
      (key === undefined || request_key === key) && (minor === undefined || amount_minor === minor),
  )
}
