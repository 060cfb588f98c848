import type { Context } from '../../context.ts'
import { finishKeeping, type KeepResult, keepMethod } from '../../customers/keeping.ts'
import { takePanelTry } from '../../customers/panel-sessions.ts'
import { formOrigins, type Way } from '../checkout/ways.ts'
import { type PageAnswer, type PageCall, seeOther } from '../page-route.tsx'
import { afterwards } from './flash.ts'
import { AddPage } from './parts/add.tsx'
import type { DrawPanel } from './parts/draw.tsx'
import { formOf, type Guest } from './session.ts'
import { waysToAdd } from './ways.ts'

const HERE = '/p/methods/new'

/** Counted up whenever the sentence comes to mean something else: what was agreed to must stay provable. */
const CONSENT = 'panel-1'

/** A method is added: the provider keeps it, at once or after the customer was on its page. */
export function createAdding(ctx: Context, draw: DrawPanel) {
  return {
    add(guest: Guest, { query }: PageCall): PageAnswer {
      const ways = waysToAdd(ctx, guest)
      const chosen = ways.find(({ id }) => id === query._way) ?? ways[0]
      const props = {
        guest,
        ways,
        publicUrl: ctx.config.publicUrl,
        chosen: chosen?.id ?? '',
        problems: (query.problems ?? '').split('.').filter(Boolean),
        declined: query.declined,
      }
      return draw(guest, {
        name: 'panel-add',
        title: guest.language.words.panel.addTitle,
        here: HERE,
        children: <AddPage {...props} />,
        security: { formOrigins: formOrigins(ctx, ways) },
      })
    },

    /** The provider sent the browser back: with a token to keep, or with what has to be corrected. */
    async addWithToken(guest: Guest, call: PageCall): Promise<PageAnswer> {
      const { _way = '', problems, token } = call.query
      if (problems || !token) {
        const again = new URLSearchParams({ _way, problems: problems ?? '' })
        return seeOther(`${HERE}?${again}`)
      }
      const form = formOf(ctx, guest, call.query._form)
      return form === undefined ? seeOther(HERE) : keep(ctx, guest, call, { form, way: _way, token })
    },

    async addOnPage(guest: Guest, call: PageCall): Promise<PageAnswer> {
      const form = formOf(ctx, guest, call.form.get('form'))
      return form === undefined
        ? seeOther(HERE)
        : keep(ctx, guest, call, { form, way: call.form.get('way') ?? '' })
    },

    async comeBack(guest: Guest, { params }: PageCall): Promise<PageAnswer> {
      return told(guest, await finishKeeping(ctx, guest.app, guest.customer, params.key ?? ''))
    },
  }
}

interface Wish {
  /** The form's own part: it becomes the key, so the same form sent again keeps nothing twice. */
  readonly form: string
  readonly way: string
  readonly token?: string
}

async function keep(ctx: Context, guest: Guest, call: PageCall, wish: Wish): Promise<PageAnswer> {
  const way = waysToAdd(ctx, guest).find(({ id }) => id === wish.way)
  if (!way || (way.fields && !wish.token)) return seeOther(HERE)
  if (!(await takePanelTry(ctx, guest.session))) return seeOther(`${HERE}?declined=tries`)
  const { profile, method } = way.offer
  const key = wish.form.toUpperCase()
  const text = `${CONSENT}.${guest.language.locale}`
  const result = await keepMethod(ctx, guest.app, guest.customer, {
    key,
    profile,
    kind: method,
    instrument: way.fields ? wish.token : undefined,
    consent: { text, time: guest.now, ip: call.address },
    backUrl: `${ctx.config.publicUrl}/p/methods/back/${key}`,
  })
  return told(guest, result, way)
}

function told({ grant }: Guest, result: KeepResult, way?: Way): PageAnswer {
  switch (result.kind) {
    case 'kept':
      return seeOther(afterwards(grant, result.isUnconfirmed ? 'addedAmounts' : 'added'))
    case 'redirect':
      return seeOther(result.url)
    default: {
      const declined = result.kind === 'declined' ? result.reason : 'processing-error'
      return seeOther(`${HERE}?${new URLSearchParams({ _way: way?.id ?? '', declined })}`)
    }
  }
}
