import type { Context } from '../../context.ts'
import { changeCustomer } from '../../customers/commands.ts'
import { readId } from '../../http/wire.ts'
import { lastChargesOf, paymentsOfCustomer } from '../../payments/history/customer.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { type DetailProblems, readDetails } from './details.ts'
import { flashOf } from './flash.ts'
import { addableMethodOptions } from './method-options.ts'
import { methodsOfVisitor, panelRegistrations } from './ownership.ts'
import { HomePage } from './parts/home.tsx'
import { DonePage } from './parts/method.tsx'
import type { RenderPanel } from './parts/render.tsx'
import { isAllowed } from './rules.ts'
import type { PanelVisitor } from './session.ts'

/** Payments per page. */
const PAGE_SIZE = 10

export function createOverviewHandlers(ctx: Context, render: RenderPanel) {
  async function show(visitor: PanelVisitor, call: PageCall, problems?: DetailProblems): Promise<PageAnswer> {
    const { app, grant, customer } = visitor
    const { customerId } = customer
    const all = isAllowed(grant, { kind: 'details' })
    const methods = await methodsOfVisitor(ctx, visitor)
    const before = readId(call.query.before ?? '')
    const props = {
      visitor,
      methods,
      registrations: panelRegistrations(methods, await lastChargesOf(ctx, app, customerId)),
      payments: all ? await paymentsOfCustomer(ctx, app, { customerId, before, most: PAGE_SIZE }) : undefined,
      isNewest: before === undefined,
      canAdd: addableMethodOptions(ctx, visitor).length > 0,
      hasDetails: all,
      problems,
      flash: flashOf(visitor.language, call.query.note),
    }
    const { title } = visitor.language.texts.panel
    return render(visitor, { name: 'panel', title, here: '/p', children: <HomePage {...props} /> })
  }

  return {
    show: (visitor: PanelVisitor, call: PageCall) => show(visitor, call),

    async saveDetails(visitor: PanelVisitor, call: PageCall): Promise<PageAnswer> {
      const read = readDetails(call.form)
      // Invalid input is not stored, so the form shows it again beside its errors.
      if ('wrong' in read) return show(visitor, call, read)
      await changeCustomer(ctx, visitor.app, visitor.customer.customerId, read)
      return seeOther('/p?note=saved')
    },

    done(visitor: PanelVisitor, { query }: PageCall): PageAnswer {
      const { title } = visitor.language.texts.panel
      const flash = flashOf(visitor.language, query.note)
      return render(visitor, {
        name: 'panel-done',
        title,
        here: '/p/done',
        children: <DonePage visitor={visitor} flash={flash} />,
      })
    },
  }
}
