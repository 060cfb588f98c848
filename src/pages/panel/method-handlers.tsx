import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { confirmMethod, makeDefault } from '../../customers/keeping.ts'
import { removeMethod, stopAutoPayment } from '../../customers/methods.ts'
import { adapterOf, findProfile } from '../../merchants/app.ts'
import { lastChargesOf } from '../../payments/history/customer.ts'
import { type PageAnswer, type PageCall, seeOther } from '../page-route.tsx'
import { createAdding } from './add-method-handlers.tsx'
import { afterwards } from './flash.ts'
import { methodsOfGuest, ownMethod, registeredOf } from './ownership.ts'
import type { DrawPanel } from './parts/draw.tsx'
import type { Registered } from './parts/home.tsx'
import { RemovePage, StopPage, VerifyPage, type VerifyProps } from './parts/method.tsx'
import { readSmallAmount } from './rules.ts'
import type { Guest } from './session.ts'

type Trouble = Pick<VerifyProps, 'problem' | 'wrongFields'>

export function createMethodDesk(ctx: Context, draw: DrawPanel) {
  return { ...createAdding(ctx, draw), ...verifying(ctx, draw), ...managing(ctx, draw) }
}

function verifying(ctx: Context, draw: DrawPanel) {
  async function show(guest: Guest, id: number, trouble: Trouble): Promise<PageAnswer> {
    const method = await ownMethod(ctx, guest, id)
    if (method.verificationState !== 'Unverified')
      return seeOther(
        afterwards(guest.grant, method.verificationState === 'Verified' ? 'confirmed' : 'verifyOver'),
      )
    const profile = findProfile(guest.app, method.tokens[0]?.profileId ?? 0)
    const testAmounts = profile && adapterOf(ctx, profile).manifest.testAmounts
    return draw(guest, {
      name: 'panel-verify',
      title: guest.language.words.panel.verifyTitle,
      here: `/p/methods/${id}/verify`,
      children: <VerifyPage guest={guest} method={method} testAmounts={testAmounts} {...trouble} />,
    })
  }

  return {
    verify(guest: Guest, { query }: PageCall, id: number): Promise<PageAnswer> {
      const problem = query.problem === 'wrong' || query.problem === 'failed' ? query.problem : undefined
      return show(guest, id, { problem, wrongFields: (query.fields ?? '').split('.') })
    },

    async confirm(guest: Guest, { form }: PageCall, id: number): Promise<PageAnswer> {
      const here = `/p/methods/${id}/verify`
      const [first, second] = ['first', 'second'].map((name) => readSmallAmount(form.get(name) ?? ''))
      if (first === undefined || second === undefined) {
        const wrong = [first === undefined ? 'first' : '', second === undefined ? 'second' : '']
        return seeOther(`${here}?fields=${wrong.filter(Boolean).join('.')}`)
      }
      await ownMethod(ctx, guest, id)
      const wish = { customerId: guest.customer.customerId, paymentMethodId: id }
      const said = await confirmMethod(ctx, guest.app, wish, [first, second])
      if (said === 'confirmed') return seeOther(afterwards(guest.grant, 'confirmed'))
      return seeOther(said === 'over' ? afterwards(guest.grant, 'verifyOver') : `${here}?problem=${said}`)
    },
  }
}

function managing(ctx: Context, draw: DrawPanel) {
  async function registered(guest: Guest): Promise<Registered[]> {
    const last = await lastChargesOf(ctx, guest.app, guest.customer.customerId)
    return registeredOf(await methodsOfGuest(ctx, guest), last)
  }
  async function ownRegistration(guest: Guest, id: number): Promise<Registered> {
    const found = (await registered(guest)).find(({ tokenId }) => tokenId === id)
    if (!found) throw notFound('The automatic payment')
    return found
  }

  return {
    async makeDefault(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      await ownMethod(ctx, guest, id)
      await makeDefault(ctx, guest.app, guest.customer.customerId, id)
      return seeOther(afterwards(guest.grant, 'defaultChanged'))
    },

    async askToRemove(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      const method = await ownMethod(ctx, guest, id)
      const stops = (await registered(guest)).filter((one) => one.method.paymentMethodId === id)
      return draw(guest, {
        name: 'panel-remove',
        title: guest.language.words.panel.removeTitle(method.label),
        here: `/p/methods/${id}/remove`,
        children: <RemovePage guest={guest} method={method} stops={stops} />,
      })
    },

    async remove(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      await ownMethod(ctx, guest, id)
      await removeMethod(ctx, guest.app, guest.customer.customerId, id)
      return seeOther(afterwards(guest.grant, 'removed'))
    },

    async askToStop(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      return draw(guest, {
        name: 'panel-stop',
        title: guest.language.words.panel.stopTitle,
        here: `/p/auto/${id}/stop`,
        children: <StopPage guest={guest} registered={await ownRegistration(guest, id)} />,
      })
    },

    async stop(guest: Guest, _call: PageCall, id: number): Promise<PageAnswer> {
      await ownRegistration(guest, id)
      await stopAutoPayment(ctx, guest.app, guest.customer.customerId, id)
      return seeOther(afterwards(guest.grant, 'stopped'))
    },
  }
}
