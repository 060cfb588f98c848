import { CURRENCIES } from '../../../base/currencies.ts'
import { type FieldError, invalid } from '../../../base/errors.ts'
import { decimalSign, plainDecimal } from '../../../base/presentation/typed-amount.ts'
import type { Profile, ProfileFees } from '../../../merchants/app.ts'
import { changeProfile, type ProfileChanges, removeProfile } from '../../../merchants/profiles/commands.ts'
import { unprovenOf } from '../../../merchants/profiles/unproven.ts'
import { type AnyMethod, METHOD_IDS } from '../../../providers/methods/method.ts'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import { providerName, shortName } from '../../kit/format/names.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { question } from '../../kit/question.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { proof } from '../../kit/route.ts'
import { FEES, renderDetail, usesOf } from './detail.tsx'
import { crumbsOf, profilePath, requestedProfile } from './profile.tsx'
import { checkDraft, readDraft } from './setup.tsx'

/** Changes of one provider, each by its own form of its page. */

const changing =
  (changesOf: (request: AppRequest, profile: Profile) => ProfileChanges, note: Note = 'saved') =>
  (request: AppRequest): Promise<PageAnswer> => {
    const profile = requestedProfile(request)
    return retryForm(
      async () => {
        await changeProfile(request.ctx, request.app, profile.profileId, changesOf(request, profile))
        const shown = typeof note === 'string' ? note : note(request)
        return seeOther(`${profilePath(request, profile)}?note=${shown}`)
      },
      (problem) => renderDetail(request, { problem }),
    )
  }

/** The note of the page, with the place where keyboards go on. */
type Note = string | ((request: AppRequest) => string)

export const changeGeneral = changing((request, { methods }) => {
  const { name, currency } = readDraft(request)
  checkDraft(request, { name, currency, methods })
  return { name, currency, currencies: readCodes(request.call.form.get('currencies') ?? '') }
})

/** Codes between spaces or commas. Null: none given. */
function readCodes(text: string): string[] | null {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean)
  return codes.length > 0 ? codes.slice(0, CURRENCIES.size) : null
}

export const changeFees = changing((request) => ({ fees: readFees(request) }))

const NUMBER = /^\d{1,9}(?:\.\d{1,4})?$/
const MAX_PERCENT = 100
const isShare = (name: string): boolean => name.endsWith('PercentageFee')

/** An empty field clears its fee. */
function readFees({ call, texts, language }: AppRequest): ProfileFees {
  const errors: FieldError[] = []
  const fees = FEES.map((name) => {
    const typed = (call.form.get(name) ?? '').trim()
    const text = plainDecimal(typed, decimalSign(language.intl)) ?? typed
    const isWrong = text !== '' && (!NUMBER.test(text) || (isShare(name) && Number(text) > MAX_PERCENT))
    if (isWrong) errors.push({ field: name, message: texts.providers.feeWrong })
    return [name, text === '' ? null : Number(text)]
  })
  if (errors.length > 0) throw invalid(errors)
  return Object.fromEntries(fees)
}

export const changeMethods = changing(
  (request, { methods }) => {
    const { act, method } = methodAct(request)
    return { methods: method ? rearranged(methods, act, method) : methods }
  },
  (request) => {
    const { method } = methodAct(request)
    return method ? `saved#method-${method}` : 'saved'
  },
)

/** `up:Paypal`: what a button does with a method. */
function methodAct({ call }: AppRequest) {
  const [act = '', kind] = (call.form.get('act') ?? '').split(':')
  return { act, method: [...METHOD_KINDS, ...METHOD_IDS].find((one) => one === kind) }
}

/** An act that is not possible, as on an outdated page, changes nothing. */
function rearranged(methods: readonly AnyMethod[], act: string, method: AnyMethod): readonly AnyMethod[] {
  const place = methods.indexOf(method)
  if (act === 'add') return place < 0 ? [...methods, method] : methods
  const others = methods.filter((one) => one !== method)
  if (place < 0 || others.length === 0) return methods
  if (act === 'remove') return others
  return act === 'up' || act === 'down'
    ? others.toSpliced(Math.max(0, act === 'up' ? place - 1 : place + 1), 0, method)
    : methods
}

/** One that is proven is turned on by the button itself; the page asks about the others. */
export const enableRoutes = question('/providers/{profileId}/enable', proof('PaymentProfileWrite'), {
  crumbs: crumbsOf,
  subject: requestedProfile,
  texts: ({ providers, providerSetup: words }, profile, request) => {
    const unproven = unprovenOf(request.ctx, profile)
    const name = shortName(profile)
    return {
      title: unproven.length > 0 ? words.enableTitle({ name }) : words.enableReady({ name }),
      body: [
        ...unproven.map((what) => words.unproven[what]({ name: providerName(request, profile.provider) })),
        words.enableBody,
      ],
      button: unproven.length > 0 ? words.enableAnyway : providers.enable,
    }
  },
  run: async ({ ctx, app }, { profileId }) => {
    await changeProfile(ctx, app, profileId, { isActive: true })
    return 'enabled'
  },
})

export const removeRoutes = question('/providers/{profileId}/remove', proof('PaymentProfileWrite'), {
  kind: 'danger',
  crumbs: crumbsOf,
  subject: requestedProfile,
  texts: ({ providerSetup: words }, profile) => ({
    title: words.removeTitle({ name: shortName(profile) }),
    body: words.removeBody,
    button: words.removeOne({ name: shortName(profile) }),
  }),
  run: async ({ ctx, app, base }, { profileId }) => {
    await removeProfile(ctx, app, profileId)
    return seeOther(`${base}/providers?note=removed`)
  },
})

export const disableRoutes = question('/providers/{profileId}/disable', proof('PaymentProfileWrite'), {
  kind: 'danger',
  crumbs: crumbsOf,
  subject: async (request) => {
    const profile = requestedProfile(request)
    const isLast = request.app.profiles.every((one) => one.profileId === profile.profileId || !one.isActive)
    return { profile, isLast, ...(await usesOf(request, profile)) }
  },
  texts: ({ providers }, { profile, isLast, stored, routes }) => ({
    title: providers.disableTitle({ name: shortName(profile) }),
    body: [
      providers.disableBody,
      isLast && providers.disableLast,
      stored.count > 0 &&
        providers.disableMethods({ count: stored.count, isMore: stored.count >= stored.most }),
      routes > 0 && providers.disableRoutes({ count: routes }),
      stored.count === 0 && routes === 0 && providers.disableNothing,
    ].filter((text) => text !== false),
    button: providers.disableOne({ name: shortName(profile) }),
  }),
  run: async ({ ctx, app }, { profile }) => {
    await changeProfile(ctx, app, profile.profileId, { isActive: false })
    return 'disabled'
  },
})
