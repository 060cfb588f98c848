import type { Context } from '../../context.ts'
import { finishMethodSetup, type SetupResult, setUpMethod } from '../../customers/method-setup.ts'
import { takePanelTry } from '../../customers/panel-sessions.ts'
import { findProfile } from '../../merchants/app.ts'
import { isKind } from '../../providers/methods/method.ts'
import { formOrigins } from '../checkout/method-options.ts'
import { ContinuePage } from '../checkout/parts/continue.tsx'
import { continueProps, opensByRedirect, providerNameOf } from '../checkout/provider-page.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { urlWithFlash } from './flash.ts'
import { addableMethodOptions } from './method-options.ts'
import { AddPage } from './parts/add.tsx'
import type { RenderPanel } from './parts/render.tsx'
import { formNonceOf, type PanelVisitor } from './session.ts'

const ADD_URL = '/p/methods/new'

/** Version of the consent text. Increase it when the meaning changes: it is stored as proof of consent. */
const CONSENT = 'panel-1'

interface Tools {
  readonly ctx: Context
  readonly render: RenderPanel
}

/** Adds a method. The provider stores it immediately, or after the customer visited its page. */
export function createAddMethodHandlers(ctx: Context, render: RenderPanel) {
  const tools: Tools = { ctx, render }
  return {
    add(visitor: PanelVisitor, { query }: PageCall): PageAnswer {
      const options = addableMethodOptions(ctx, visitor)
      const chosen = options.find(({ id }) => id === query._way) ?? options[0]
      const props = {
        visitor,
        options,
        publicUrl: ctx.config.publicUrl,
        chosen: chosen?.id ?? '',
        problems: (query.problems ?? '').split('.').filter(Boolean),
        declined: query.declined,
      }
      return render(visitor, {
        name: 'panel-add',
        title: visitor.language.texts.panel.addTitle,
        here: ADD_URL,
        children: <AddPage {...props} />,
        security: {
          formOrigins: formOrigins(
            ctx,
            visitor.app,
            options.map(({ fields }) => fields),
            options.map(({ offer }) => offer.profile),
          ),
        },
      })
    },

    /** Return from the provider: with a token to store, or with the fields to correct. */
    async addWithToken(visitor: PanelVisitor, call: PageCall): Promise<PageAnswer> {
      const { _way = '', problems, token } = call.query
      if (problems || !token) {
        const again = new URLSearchParams({ _way, problems: problems ?? '' })
        return seeOther(`${ADD_URL}?${again}`)
      }
      const form = formNonceOf(ctx, visitor, call.query._form)
      return form === undefined
        ? seeOther(ADD_URL)
        : setUp(tools, visitor, call, { form, optionId: _way, token })
    },

    async addOnPage(visitor: PanelVisitor, call: PageCall): Promise<PageAnswer> {
      const form = formNonceOf(ctx, visitor, call.form.get('form'))
      return form === undefined
        ? seeOther(ADD_URL)
        : setUp(tools, visitor, call, { form, optionId: call.form.get('way') ?? '' })
    },

    async returnFromProvider(visitor: PanelVisitor, { params }: PageCall): Promise<PageAnswer> {
      return setupResultPage(
        tools,
        visitor,
        await finishMethodSetup(ctx, visitor.app, visitor.customer, params.key ?? ''),
      )
    },
  }
}

interface AddRequest {
  /** Nonce of the form. It becomes the idempotency key: a form sent twice stores one method. */
  readonly form: string
  readonly optionId: string
  readonly token?: string
}

async function setUp(
  tools: Tools,
  visitor: PanelVisitor,
  call: PageCall,
  request: AddRequest,
): Promise<PageAnswer> {
  const { ctx } = tools
  const option = addableMethodOptions(ctx, visitor).find(({ id }) => id === request.optionId)
  if (!option || (option.fields && !request.token)) return seeOther(ADD_URL)
  if (!(await takePanelTry(ctx, visitor.session))) return seeOther(`${ADD_URL}?declined=tries`)
  const { profile, method } = option.offer
  if (!isKind(method)) return seeOther(ADD_URL)
  const key = request.form.toUpperCase()
  const text = `${CONSENT}.${visitor.language.locale}`
  const result = await setUpMethod(ctx, visitor.app, visitor.customer, {
    key,
    profile,
    kind: method,
    instrument: option.fields ? request.token : undefined,
    consent: { text, time: visitor.now, ip: call.address },
    backUrl: `${ctx.config.publicUrl}/p/methods/back/${key}`,
  })
  return setupResultPage(tools, visitor, result, option.id)
}

function setupResultPage(tools: Tools, visitor: PanelVisitor, result: SetupResult, way = ''): PageAnswer {
  switch (result.kind) {
    case 'stored':
      return seeOther(urlWithFlash(visitor.grant, result.isUnconfirmed ? 'addedAmounts' : 'added'))
    case 'redirect':
      return providerAnswer(tools, visitor, result)
    default: {
      const declined = result.kind === 'declined' ? result.reason : 'processing-error'
      return seeOther(`${ADD_URL}?${new URLSearchParams({ _way: way, declined })}`)
    }
  }
}

type SetupRedirect = Extract<SetupResult, { kind: 'redirect' }>

/** Redirects to the provider's page, or shows a page that leads to it. */
function providerAnswer({ ctx, render }: Tools, visitor: PanelVisitor, to: SetupRedirect): PageAnswer {
  const { app, language } = visitor
  const profile = findProfile(app, to.profileId)
  if (!profile || opensByRedirect(ctx, app, profile, to)) return seeOther(to.url)
  const provider = providerNameOf(ctx, profile) ?? language.texts.methods[to.method]
  return render(visitor, {
    name: 'continue',
    title: language.texts.panel.addTitle,
    here: ADD_URL,
    children: <ContinuePage texts={language.texts} provider={provider} to={to} />,
    ...continueProps(ctx, app, profile, to),
  })
}
