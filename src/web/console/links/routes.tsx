import { type AuditEntry, auditEntries } from '../../../audit/audit.ts'
import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { getPayment } from '../../../payments/actions.ts'
import type { Payment } from '../../../payments/payment.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { choicesOf } from './choices.ts'
import { createLink } from './create.ts'
import { chooseCustomer } from './customer.ts'
import { type LinkFields, readLink } from './fields.ts'
import { LinkForm, type LinkFormProps } from './form.tsx'
import { LinkList } from './list.tsx'
import { LinkResult } from './result.tsx'

const PAGE_SIZE = 30

export const linksScreens = (): ScreenRoute[] => [
  app('GET', '/links', 'PaymentWrite', list),
  app('GET', '/links/new', 'PaymentWrite', askNew),
  app('POST', '/links/new', 'PaymentWrite', create, { formBytes: LIMITS.longFormBytes }),
  app('GET', '/links/{paymentId}', 'PaymentWrite', show),
]

/** Links are found by the audit entries of their creation, which also tell who made them. */
async function list(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const found = await auditEntries(ctx, app.licenseId, {
    appId: app.appId,
    action: 'link.created',
    before: readId(call.query.cursor ?? ''),
    limit: PAGE_SIZE + 1,
  })
  const entries = found.slice(0, PAGE_SIZE)
  const links = await Promise.all(
    entries.map(async (entry) => ({ entry, payment: await paymentOf(request, entry) })),
  )
  const next = found.length > PAGE_SIZE ? String(entries.at(-1)?.entryId) : undefined
  return renderScreen(request, {
    name: 'links',
    title: texts.links.title,
    actions: (
      <GetButton href={`${base}/links/new`} kind="primary">
        {texts.links.create}
      </GetButton>
    ),
    children: <LinkList links={links} next={next} />,
  })
}

/** Undefined after the payments of a sandbox app were cleared. */
async function paymentOf({ ctx, app }: AppRequest, { target }: AuditEntry): Promise<Payment | undefined> {
  try {
    return await getPayment(ctx, app, readId(target.replace('payment:', '')))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The fields of an address, for a form that begins with some of them filled in. */
const fieldsOf = ({ call }: AppRequest): LinkFields => ({
  text: (name) => ((call.isPost ? call.form.get(name) : call.query[name]) ?? '').trim(),
  methods: call.isPost ? call.fieldsOf('method') : [],
})

const askNew = (request: AppRequest): PageAnswer => render(request, {})

function render(request: AppRequest, more: Partial<LinkFormProps>, status = 200): PageAnswer {
  const { texts, base } = request
  return renderScreen(request, {
    name: 'links',
    title: texts.links.newTitle,
    crumbs: [{ label: texts.links.title, href: `${base}/links` }],
    status,
    children: <LinkForm fields={fieldsOf(request)} choices={choicesOf(request)} {...more} />,
  })
}

async function create(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, person } = request
  const fields = fieldsOf(request)
  const { currencies } = choicesOf(request)
  const options = { now: appNow(ctx, app), timeZone: person.timeZone ?? 'UTC', currencies }
  const read = readLink(fields, options)
  const chosen = await chooseCustomer(request, fields)
  if ('problems' in read || 'problem' in chosen) {
    const problems = 'problems' in read ? read.problems : []
    return render(request, { problems, ...('problem' in chosen ? { customer: chosen } : {}) }, 422)
  }
  try {
    const { paymentId } = await createLink(request, read.order, chosen.customer)
    return seeOther(`${base}/links/${paymentId}?note=created`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return render(request, { refusal: error.message }, error.status)
  }
}

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const payment = await getPayment(ctx, app, readId(call.params.paymentId ?? ''))
  return renderScreen(request, {
    name: 'links',
    title: texts.links.resultTitle,
    crumbs: [{ label: texts.links.title, href: `${base}/links` }],
    flash: call.query.note === 'created' ? { kind: 'ok', text: texts.links.created } : undefined,
    children: <LinkResult payment={payment} />,
  })
}
