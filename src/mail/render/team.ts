import { diagnosisIn } from '../../merchants/profiles/diagnosis.ts'
import type { MailData, MailKind, ToPayer } from '../kinds.ts'
import type { MailLanguage, TeamTexts } from '../texts/languages.ts'
import { amount, line, moment } from './format.ts'
import { button, facts, type Message, paragraph } from './message.ts'

/** What the messages to people need beside their own content. */
export interface TeamScene {
  readonly language: MailLanguage<TeamTexts>
  /** The app that the message is about. */
  readonly app?: { readonly name: string; readonly settingsUrl: string } | undefined
  readonly timeZone: string
}

export type PersonMail = Exclude<MailKind, ToPayer>

type Builders = {
  readonly [Kind in PersonMail]: (scene: TeamScene, data: MailData[Kind]) => Omit<Message, 'footer'>
}

const BUILDERS: Builders = {
  invitation({ language, timeZone }, { business, role, invitedBy, url, until }) {
    const { invitation, labels } = language.texts
    const name = line(business)
    return {
      subject: invitation.subject({ business: name }),
      heading: invitation.heading({ business: name }),
      blocks: [
        paragraph(invitedBy ? invitation.bodyBy({ person: line(invitedBy) }) : invitation.body),
        facts([labels.role, line(role)], [labels.until, moment(language, until, timeZone)]),
        button(invitation.button, url),
        paragraph(invitation.ignore),
      ],
    }
  },
  'password-reset'({ language, timeZone }, { url, until }) {
    const { reset, labels } = language.texts
    return {
      subject: reset.subject,
      heading: reset.heading,
      blocks: [
        paragraph(reset.body),
        button(reset.button, url),
        facts([labels.until, moment(language, until, timeZone)]),
        paragraph(reset.ignore),
      ],
    }
  },
  'sign-in'({ language, timeZone }, { time, address, device, url }) {
    const { signIn, labels } = language.texts
    return {
      subject: signIn.subject,
      heading: signIn.heading,
      blocks: [
        paragraph(signIn.body),
        facts(
          [labels.time, moment(language, time, timeZone)],
          [labels.address, line(address)],
          [labels.device, line(device)],
        ),
        paragraph(signIn.notYou),
        button(signIn.button, url),
      ],
    }
  },
  'access-added'({ language, timeZone }, { what, name, business, by, time, address, url }) {
    const { access, labels } = language.texts
    const { subject, body } = access[what]
    return {
      subject: business ? access.subjectIn({ subject, business: line(business, 60) }) : subject,
      heading: subject,
      blocks: [
        paragraph(body),
        facts(
          [access[what].label, name && line(name)],
          [what === 'api-key' ? labels.app : labels.business, business && line(business)],
          [labels.by, by && line(by)],
          [labels.time, moment(language, time, timeZone)],
          [labels.address, address && line(address)],
        ),
        paragraph(access.notYou),
        button(access.button, url),
      ],
    }
  },
  'refund-made'({ language, app, timeZone }, data) {
    const { refundMade, labels } = language.texts
    const refunded = amount(language, data.refundedMinor, data.currency)
    return {
      subject: refundMade.subject({ amount: refunded, reference: line(data.reference, 60) }),
      heading: refundMade.heading({ amount: refunded }),
      blocks: [
        paragraph(refundMade.body({ app: app?.name ?? '' })),
        facts(
          [labels.refunded, refunded],
          [labels.amount, amount(language, data.amountMinor, data.currency)],
          [labels.reference, line(data.reference)],
          [labels.description, data.description && line(data.description)],
          [labels.time, moment(language, data.time, timeZone)],
        ),
        button(refundMade.button, data.url),
      ],
    }
  },
  'endpoint-failing'({ language, app, timeZone }, { endpoint, since, error, isDisabled, url }) {
    const { endpoint: texts, labels } = language.texts
    return {
      subject: texts.subject({ app: app?.name ?? '' }),
      heading: texts.heading,
      blocks: [
        paragraph(isDisabled ? texts.disabled : texts.body),
        facts(
          [labels.endpoint, line(endpoint, 300)],
          [labels.since, moment(language, since, timeZone)],
          [labels.error, line(error, 300)],
        ),
        button(texts.button, url),
      ],
    }
  },
  'provider-degraded'({ language }, { profile, diagnosis, url }) {
    const { provider, labels } = language.texts
    const name = line(profile)
    const problem = diagnosis && diagnosisIn(provider, String, diagnosis)
    return {
      subject: provider.subject({ profile: name }),
      heading: provider.heading({ profile: name }),
      blocks: [
        paragraph(provider.body),
        facts([labels.profile, name], ...(problem ? [[labels.problem, line(problem, 300)] as const] : [])),
        button(provider.button, url),
      ],
    }
  },
  'authorisations-ending'({ language, timeZone }, { count, isMore, payments, url }) {
    const { authorisations: texts } = language.texts
    const many = isMore ? texts.more({ count: String(count) }) : String(count)
    const isOne = count === 1 && !isMore
    const rows = payments.map(({ reference, amountMinor, currency, until }) => {
      const value = `${amount(language, amountMinor, currency)}, ${moment(language, until, timeZone)}`
      return [line(reference, 60), value] as const
    })
    return {
      subject: isOne ? texts.one : texts.subject({ count: many }),
      heading: isOne ? texts.one : texts.heading({ count: many }),
      blocks: [paragraph(texts.body), facts(...rows), button(texts.button, url)],
    }
  },
  settlements({ language, app }, { opened, failing, exceptionsUrl, sourcesUrl }) {
    const { settlements: texts, labels } = language.texts
    const name = app?.name ?? ''
    const exceptions = opened.map(({ kind, count }) => [texts.kinds[kind], String(count)] as const)
    return {
      subject: texts.subject({ app: name }),
      heading: texts.heading,
      blocks: [
        ...(exceptions.length > 0
          ? [paragraph(texts.opened), facts(...exceptions), button(texts.exceptions, exceptionsUrl)]
          : []),
        ...(failing.length > 0
          ? [
              paragraph(texts.failing),
              facts(...failing.map((profile) => [labels.profile, line(profile)] as const)),
              button(texts.sources, sourcesUrl),
            ]
          : []),
      ],
    }
  },
  dispute({ language, app, timeZone }, data) {
    const { dispute, labels } = language.texts
    const { subject, heading, body } = dispute[data.occasion]
    const disputed = amount(language, data.amountMinor, data.currency)
    const words = { amount: disputed, reference: line(data.reference, 60) }
    return {
      subject: subject(words),
      heading: heading(words),
      blocks: [
        paragraph(body({ app: app?.name ?? '' })),
        facts(
          [labels.amount, disputed],
          [labels.reference, line(data.reference)],
          [labels.reason, data.reason && line(data.reason.replaceAll('_', ' '))],
          [labels.due, data.due && moment(language, data.due, timeZone)],
          [labels.profile, data.profile && line(data.profile)],
        ),
        button(dispute.button, data.url),
      ],
    }
  },
  'export-ready'({ language, app, timeZone }, { what, rows, isFailed, isScheduled, until, url }) {
    const { exported, labels } = language.texts
    const values = { what: exported.kinds[what], app: app?.name ?? '' }
    const contents = [
      [exported.rows, new Intl.NumberFormat(language.intl).format(rows)],
      [labels.until, moment(language, until, timeZone)],
    ] as const
    return {
      subject: isFailed ? exported.failedSubject(values) : exported.subject(values),
      heading: isFailed ? exported.failed : exported.heading,
      blocks: [
        paragraph(isFailed ? exported.failedBody : isScheduled ? exported.scheduled : exported.body),
        ...(isFailed ? [] : [facts(...contents)]),
        button(exported.button, url),
      ],
    }
  },
}

export function teamMessage<Kind extends PersonMail>(
  scene: TeamScene,
  kind: Kind,
  data: MailData[Kind],
): Message {
  const { language, app } = scene
  const { why, whyApp, settings } = language.texts
  const ofApp = app && [{ text: whyApp({ app: app.name }) }, { text: settings, url: app.settingsUrl }]
  // Who is invited does not use the console yet.
  const footer = ofApp ?? (kind === 'invitation' ? [] : [{ text: why }])
  return { ...BUILDERS[kind](scene, data), footer }
}
