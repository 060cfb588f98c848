import { CATALOGUE } from '../../providers/methods/catalogue.ts'
import type { MethodId } from '../../providers/methods/method.ts'
import type { MailData, PaymentFacts, ToPayer } from '../kinds.ts'
import type { MailLanguage, PayerTexts } from '../texts/languages.ts'
import { amount, expiry, line, moment } from './format.ts'
import { type Block, button, type FooterLine, facts, type Message, paragraph } from './message.ts'

/** Characters that a person may add to a payment link. */
export const LINK_MESSAGE = 500

/** What the messages to payers need beside their own content. */
export interface PayerScene {
  readonly language: MailLanguage<PayerTexts>
  readonly shop: string
  readonly timeZone: string
  readonly isSandbox: boolean
  /** A web address or an e-mail address. */
  readonly support: string | null
  /** Only in reminders. */
  readonly unsubscribe?: string | undefined
}

type Builders = {
  readonly [Kind in ToPayer]: (scene: PayerScene, data: MailData[Kind]) => Omit<Message, 'footer'>
}

function paymentRows(
  { language, timeZone }: PayerScene,
  data: PaymentFacts,
  methodLabel = language.texts.labels.method,
): [string, string | null][] {
  const { labels } = language.texts
  return [
    [labels.amount, amount(language, data.amountMinor, data.currency)],
    [labels.reference, line(data.reference)],
    [labels.description, data.description && line(data.description)],
    [methodLabel, methodOf(language, data)],
    [labels.date, moment(language, data.time, timeZone)],
  ]
}

/** A wallet is named before its card. Names that are equal in every language are those of the catalogue. */
function methodOf({ texts }: MailLanguage<PayerTexts>, { method, methodId }: PaymentFacts): string | null {
  const { methods }: { readonly methods: Readonly<Partial<Record<MethodId, string>>> } = texts
  const name = methodId && (methods[methodId] ?? CATALOGUE[methodId].name)
  return line([name, method].filter((one) => one).join(', ')) || null
}

const BUILDERS: Builders = {
  receipt(scene, data) {
    const { receipt } = scene.language.texts
    return {
      subject: receipt.subject({ shop: scene.shop }),
      heading: receipt.heading({ amount: amount(scene.language, data.amountMinor, data.currency) }),
      blocks: [paragraph(receipt.body({ shop: scene.shop })), facts(...paymentRows(scene, data))],
    }
  },
  refund(scene, data) {
    const { refund, labels } = scene.language.texts
    const refunded = amount(scene.language, data.refundedMinor, data.currency)
    return {
      subject: refund.subject({ shop: scene.shop }),
      heading: refund.heading({ amount: refunded }),
      blocks: [
        paragraph(refund.body({ shop: scene.shop })),
        facts([labels.refunded, refunded], ...paymentRows(scene, data)),
      ],
    }
  },
  'payment-pending'(scene, data) {
    const { language, shop, timeZone } = scene
    const { pending, labels, storedMethod } = language.texts
    const until = moment(language, data.until, timeZone)
    return {
      subject: pending.subject({ shop }),
      heading: pending.heading({ amount: amount(language, data.amountMinor, data.currency) }),
      blocks: [
        paragraph(pending.body({ shop, until })),
        facts(...paymentRows(scene, data, storedMethod), [labels.expected, until]),
      ],
    }
  },
  'payment-failed'(scene, data) {
    const { failed, linkOnce, storedMethod } = scene.language.texts
    return {
      subject: failed.subject({ shop: scene.shop }),
      heading: failed.heading({ amount: amount(scene.language, data.amountMinor, data.currency) }),
      blocks: [
        paragraph(failed.body({ shop: scene.shop })),
        button(failed.button, data.url),
        facts(...paymentRows(scene, data, storedMethod)),
        paragraph(linkOnce),
      ],
    }
  },
  'payment-link'(scene, { amountMinor, currency, description, reference, message, until, url }) {
    const { language, shop, timeZone } = scene
    const { link, labels, failed } = language.texts
    const wanted = amount(language, amountMinor, currency)
    return {
      subject: link.subject({ shop }),
      heading: link.heading({ amount: wanted }),
      blocks: [
        ...(message ? [paragraph(line(message, LINK_MESSAGE))] : []),
        paragraph(link.body({ shop })),
        button(failed.button, url),
        facts(
          [labels.amount, wanted],
          [labels.reference, line(reference)],
          [labels.description, description && line(description)],
        ),
        ...(until ? [paragraph(link.until({ until: moment(language, until, timeZone) }))] : []),
      ],
    }
  },
  'method-added': (scene, data) => methodMessage(scene, data, scene.language.texts.added),
  'method-removed': (scene, data) => methodMessage(scene, data, scene.language.texts.removed),
  'card-expiring'(scene, { label, month, year, url }) {
    const { expiring, labels, linkOnce, storedMethod } = scene.language.texts
    const name = line(label)
    return {
      subject: expiring.subject({ shop: scene.shop }),
      heading: expiring.heading({ method: name }),
      blocks: [
        paragraph(expiring.body({ shop: scene.shop })),
        facts([storedMethod, name], [labels.expires, expiry(month, year)]),
        button(expiring.button, url),
        paragraph(linkOnce),
      ],
    }
  },
}

function methodMessage(
  { language, shop, timeZone }: PayerScene,
  { label, time }: MailData['method-added'],
  texts: PayerTexts['added'],
): Omit<Message, 'footer'> {
  const { labels, storedMethod, notYou } = language.texts
  const name = line(label)
  const blocks: Block[] = [
    paragraph(texts.body({ shop })),
    facts([storedMethod, name], [labels.date, moment(language, time, timeZone)]),
    paragraph(notYou),
  ]
  return { subject: texts.subject({ shop }), heading: texts.heading({ method: name }), blocks }
}

function footerOf({ language, shop, isSandbox, support, unsubscribe }: PayerScene): FooterLine[] {
  const { texts } = language
  const address = support?.includes('://') ? support : support && `mailto:${encodeURI(support)}`
  return [
    ...(isSandbox ? [{ text: texts.test }] : []),
    { text: texts.why({ shop }) },
    ...(address ? [{ text: texts.support, url: address }] : []),
    ...(unsubscribe ? [{ text: texts.unsubscribe, url: unsubscribe }] : []),
  ]
}

export function payerMessage<Kind extends ToPayer>(
  scene: PayerScene,
  kind: Kind,
  data: MailData[Kind],
): Message {
  const message = BUILDERS[kind](scene, data)
  const mark = scene.isSandbox ? `[${scene.language.texts.testMark}] ` : ''
  return { ...message, subject: mark + message.subject, footer: footerOf(scene) }
}
