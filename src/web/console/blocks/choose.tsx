import { ApiError, invalid } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { expected } from '../../../base/mistakes.ts'
import { dayEnd, midnightOf } from '../../../base/time/zone.ts'
import type { Customer } from '../../../customers/commands.ts'
import { addBlocks } from '../../../fraud/blocks/commands.ts'
import { blockValue } from '../../../fraud/blocks/rules.ts'
import { cardSeen } from '../../../fraud/card.ts'
import type { BlockKind } from '../../../fraud/verdict.ts'
import type { Payment } from '../../../payments/payment.ts'
import { Fields, type FormField, text } from '../../kit/form.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { CheckGroup } from '../../kit/html/choices.tsx'
import { question } from '../../kit/question.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { seeOther } from '../../kit/request/answer.ts'
import type { ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { customerOf } from '../customers/page.tsx'
import { paymentOf } from '../payment/load.ts'
import { payerEmail } from '../payment/words.ts'

/** Something known about a payment or a customer that can be blocked. */
export interface Blockable {
  readonly kind: BlockKind
  readonly value: string
}

const known = (kind: BlockKind, value: string | null | undefined): Blockable[] => {
  const spelled = blockValue(kind, value ?? '')
  return spelled === undefined ? [] : [{ kind, value: spelled }]
}

export const blockablesOf = (payment: Payment): Blockable[] => [
  ...known('Card', cardSeen(payment.payInfo?.card)?.identity),
  ...known('Email', payerEmail(payment)),
  ...known('Address', payment.payInfo?.payerIp),
  ...known('Customer', payment.customerId),
]

const blockablesOfCustomer = ({ email, customerId }: Customer): Blockable[] => [
  ...known('Email', email),
  ...known('Customer', customerId),
]

const END: FormField = text('endTime', { type: 'date', optional: true })
export const REASON_FIELDS: readonly FormField[] = [
  text('reason', { optional: true, maxLength: LIMITS.messageLength }),
  END,
]

/** The end of the day that was chosen. Throws 400 where it is none. */
export function endOf({ call, ...request }: AppRequest): Date | null {
  const typed = (call.form.get('endTime') ?? '').trim()
  if (typed === '') return null
  const zone = timeZoneOf(request)
  const start = midnightOf(typed, zone)
  if (!start) throw invalid([expected('endTime', 'future')])
  return dayEnd(start, zone)
}

interface ChoicesProps {
  readonly blockables: readonly Blockable[]
  readonly errors: FormErrors
  /** Ticked at first. */
  readonly usual: readonly BlockKind[]
}

/** What to block. Another choice has no value in the form: it is read from the payment again. */
export function BlockChoices({ blockables, errors, usual }: ChoicesProps) {
  const { call, texts } = useRequest()
  const { blocks } = texts
  const ticked = call.isPost ? call.fieldsOf('block') : usual
  return (
    <CheckGroup
      legend={blocks.what}
      name="block"
      choices={blockables.map(({ kind, value }) => ({
        value: kind,
        label: (
          <>
            {`${blocks.kinds[kind]}: `}
            <bdi>{shortText(value, NAME_SHOWN)}</bdi>
          </>
        ),
        isChecked: ticked.includes(kind),
      }))}
      error={errors.of('block')}
    />
  )
}

/** Those that were ticked. Throws 400 where none is. */
export function chosenOf({ call, texts }: AppRequest, blockables: readonly Blockable[]): Blockable[] {
  const ticked = call.fieldsOf('block')
  const chosen = blockables.filter(({ kind }) => ticked.includes(kind))
  const message = texts.blocks.whatMissing
  if (chosen.length === 0)
    throw new ApiError('invalid_request', message, {
      isTranslated: true,
      errors: [{ field: 'block', message }],
    })
  return chosen
}

interface BlockSubject {
  readonly blockables: readonly Blockable[]
  readonly source: { readonly paymentId: number | null; readonly customerId: string }
}

interface Blocking {
  readonly path: string
  readonly usual: readonly BlockKind[]
  readonly subjectOf: (request: AppRequest) => Promise<BlockSubject>
  readonly title: (request: AppRequest, subject: BlockSubject) => string
}

const blocking = ({ path, usual, subjectOf, title }: Blocking): ScreenRoute[] =>
  question(path, 'FraudPolicyWrite', {
    kind: 'danger',
    screen: 'blocks',
    subject: subjectOf,
    texts: ({ blocks }, subject, request) => ({
      title: title(request, subject),
      body: blocks.blockEffect,
      button: blocks.addButton,
    }),
    obstacle: ({ texts }, { blockables }) => (blockables.length > 0 ? undefined : texts.blocks.nothing),
    fields: ({ call, texts }, { blockables }, errors) => (
      <>
        <BlockChoices {...{ blockables, errors, usual }} />
        <Fields
          fields={REASON_FIELDS}
          texts={texts.blocks.fields}
          values={Object.fromEntries(call.form)}
          errors={errors}
        />
      </>
    ),
    run: async (request, { blockables, source }) => {
      const { ctx, app, base, call } = request
      const chosen = chosenOf(request, blockables).map((one) => ({ ...one, field: 'block' }))
      const details = { reason: call.form.get('reason'), endTime: endOf(request), source }
      const { length } = await addBlocks(ctx, app, chosen, details)
      return seeOther(`${base}/fraud/blocks?note=blocked&count=${length}`)
    },
  })

export const blockQuestions = (): ScreenRoute[] => [
  ...blocking({
    path: '/payments/{paymentId}/block',
    usual: ['Card', 'Email'],
    subjectOf: async (request) => {
      const payment = await paymentOf(request)
      const { paymentId, customerId } = payment
      return { blockables: blockablesOf(payment), source: { paymentId, customerId } }
    },
    title: ({ texts }, { source }) => texts.blocks.ofPayment({ payment: String(source.paymentId) }),
  }),
  ...blocking({
    path: '/customers/{customerId}/block-list',
    usual: ['Email', 'Customer'],
    subjectOf: async (request) => {
      const customer = await customerOf(request)
      const { customerId } = customer
      return { blockables: blockablesOfCustomer(customer), source: { paymentId: null, customerId } }
    },
    title: ({ texts }, { source }) =>
      texts.blocks.ofCustomer({ customer: shortText(source.customerId, NAME_SHOWN) ?? '' }),
  }),
]
