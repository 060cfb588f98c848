import type { Context } from '../../context.ts'
import { changeCustomer } from '../../customers/commands.ts'
import { readId } from '../../http/wire.ts'
import { lastChargesOf, paymentsOfCustomer } from '../../payments/history/customer.ts'
import { type PageAnswer, type PageCall, seeOther } from '../page-route.tsx'
import { type DetailProblems, readDetails } from './details.ts'
import { noteOf } from './flash.ts'
import { methodsOfGuest, registeredOf } from './ownership.ts'
import type { DrawPanel } from './parts/draw.tsx'
import { HomePage } from './parts/home.tsx'
import { DonePage } from './parts/method.tsx'
import { may } from './rules.ts'
import type { Guest } from './session.ts'
import { waysToAdd } from './ways.ts'

/** Payments shown at once. */
const MOST = 10

export function createOverviewDesk(ctx: Context, draw: DrawPanel) {
  async function show(guest: Guest, call: PageCall, problems?: DetailProblems): Promise<PageAnswer> {
    const { app, grant, customer } = guest
    const { customerId } = customer
    const all = may(grant, { kind: 'details' })
    const methods = await methodsOfGuest(ctx, guest)
    const before = readId(call.query.before ?? '')
    const props = {
      guest,
      methods,
      registrations: registeredOf(methods, await lastChargesOf(ctx, app, customerId)),
      payments: all ? await paymentsOfCustomer(ctx, app, { customerId, before, most: MOST }) : undefined,
      isNewest: before === undefined,
      canAdd: waysToAdd(ctx, guest).length > 0,
      hasDetails: all,
      problems,
      note: noteOf(guest.language, call.query.note),
    }
    const { title } = guest.language.words.panel
    return draw(guest, { name: 'panel', title, here: '/p', children: <HomePage {...props} /> })
  }

  return {
    show: (guest: Guest, call: PageCall) => show(guest, call),

    async saveDetails(guest: Guest, call: PageCall): Promise<PageAnswer> {
      const read = readDetails(call.form)
      // What was typed is shown again beside what is wrong with it: it is kept nowhere else.
      if ('wrong' in read) return show(guest, call, read)
      await changeCustomer(ctx, guest.app, guest.customer.customerId, read)
      return seeOther('/p?note=saved')
    },

    done(guest: Guest, { query }: PageCall): PageAnswer {
      const { title } = guest.language.words.panel
      const note = noteOf(guest.language, query.note)
      return draw(guest, {
        name: 'panel-done',
        title,
        here: '/p/done',
        children: <DonePage guest={guest} note={note} />,
      })
    },
  }
}
