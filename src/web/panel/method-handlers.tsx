import { notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import { confirmMethod, makeDefault } from '../../customers/method-setup.ts'
import { removeMethod, stopAutoPayment } from '../../customers/remove-method.ts'
import { findProfile } from '../../merchants/app.ts'
import { adapterOf } from '../../merchants/profiles/adapter.ts'
import { lastChargesOf } from '../../payments/history/customer.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { createAddMethodHandlers } from './add-method-handlers.tsx'
import { urlWithFlash } from './flash.ts'
import { methodsOfVisitor, ownMethod, panelRegistrations } from './ownership.ts'
import type { PanelRegistration } from './parts/home.tsx'
import { RemovePage, StopPage, VerifyPage, type VerifyProps } from './parts/method.tsx'
import type { RenderPanel } from './parts/render.tsx'
import { readSmallAmount } from './rules.ts'
import type { PanelVisitor } from './session.ts'

type VerifyProblems = Pick<VerifyProps, 'problem' | 'wrongFields'>

export function createMethodHandlers(ctx: Context, render: RenderPanel) {
  return {
    ...createAddMethodHandlers(ctx, render),
    ...createVerifyHandlers(ctx, render),
    ...createManageHandlers(ctx, render),
  }
}

function createVerifyHandlers(ctx: Context, render: RenderPanel) {
  async function show(visitor: PanelVisitor, id: number, problems: VerifyProblems): Promise<PageAnswer> {
    const method = await ownMethod(ctx, visitor, id)
    if (method.verificationState !== 'Unverified')
      return seeOther(
        urlWithFlash(visitor.grant, method.verificationState === 'Verified' ? 'confirmed' : 'verifyOver'),
      )
    const profile = findProfile(visitor.app, method.tokens[0]?.profileId ?? 0)
    const testAmounts = profile && adapterOf(ctx, profile).manifest.testAmounts
    return render(visitor, {
      name: 'panel-verify',
      title: visitor.language.texts.panel.verifyTitle,
      here: `/p/methods/${id}/verify`,
      children: <VerifyPage visitor={visitor} method={method} testAmounts={testAmounts} {...problems} />,
    })
  }

  return {
    verify(visitor: PanelVisitor, { query }: PageCall, id: number): Promise<PageAnswer> {
      const problem = query.problem === 'wrong' || query.problem === 'failed' ? query.problem : undefined
      return show(visitor, id, { problem, wrongFields: (query.fields ?? '').split('.') })
    },

    async confirm(visitor: PanelVisitor, { form }: PageCall, id: number): Promise<PageAnswer> {
      const here = `/p/methods/${id}/verify`
      const [first, second] = ['first', 'second'].map((name) => readSmallAmount(form.get(name) ?? ''))
      if (first === undefined || second === undefined) {
        const wrong = [first === undefined ? 'first' : '', second === undefined ? 'second' : '']
        return seeOther(`${here}?fields=${wrong.filter(Boolean).join('.')}`)
      }
      await ownMethod(ctx, visitor, id)
      const target = { customerId: visitor.customer.customerId, paymentMethodId: id }
      const result = await confirmMethod(ctx, visitor.app, target, [first, second])
      if (result === 'confirmed') return seeOther(urlWithFlash(visitor.grant, 'confirmed'))
      return seeOther(
        result === 'over' ? urlWithFlash(visitor.grant, 'verifyOver') : `${here}?problem=${result}`,
      )
    },
  }
}

function createManageHandlers(ctx: Context, render: RenderPanel) {
  async function registrationsOfVisitor(visitor: PanelVisitor): Promise<PanelRegistration[]> {
    const last = await lastChargesOf(ctx, visitor.app, visitor.customer.customerId)
    return panelRegistrations(await methodsOfVisitor(ctx, visitor), last)
  }
  async function ownRegistration(visitor: PanelVisitor, id: number): Promise<PanelRegistration> {
    const found = (await registrationsOfVisitor(visitor)).find(({ tokenId }) => tokenId === id)
    if (!found) throw notFound('The automatic payment')
    return found
  }

  return {
    async makeDefault(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      await ownMethod(ctx, visitor, id)
      await makeDefault(ctx, visitor.app, visitor.customer.customerId, id)
      return seeOther(urlWithFlash(visitor.grant, 'defaultChanged'))
    },

    async confirmRemove(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      const method = await ownMethod(ctx, visitor, id)
      const stops = (await registrationsOfVisitor(visitor)).filter((one) => one.method.paymentMethodId === id)
      return render(visitor, {
        name: 'panel-remove',
        title: visitor.language.texts.panel.removeTitle({ method: method.label }),
        here: `/p/methods/${id}/remove`,
        children: <RemovePage visitor={visitor} method={method} stops={stops} />,
      })
    },

    async remove(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      await ownMethod(ctx, visitor, id)
      await removeMethod(ctx, visitor.app, visitor.customer.customerId, id)
      return seeOther(urlWithFlash(visitor.grant, 'removed'))
    },

    async confirmStop(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      return render(visitor, {
        name: 'panel-stop',
        title: visitor.language.texts.panel.stopTitle,
        here: `/p/auto/${id}/stop`,
        children: <StopPage visitor={visitor} registration={await ownRegistration(visitor, id)} />,
      })
    },

    async stop(visitor: PanelVisitor, _call: PageCall, id: number): Promise<PageAnswer> {
      await ownRegistration(visitor, id)
      await stopAutoPayment(ctx, visitor.app, visitor.customer.customerId, id)
      return seeOther(urlWithFlash(visitor.grant, 'stopped'))
    },
  }
}
