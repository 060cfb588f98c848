import { type AuditEntry, auditEntries } from '../../../audit/audit.ts'
import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Route } from '../../../http/route.ts'
import { readId } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { getPayment } from '../../../payments/actions.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { GetButton } from '../parts/forms.tsx'
import { choicesOf } from './choices.ts'
import { createLink } from './create.ts'
import { chooseCustomer } from './customer.ts'
import { type LinkFields, readLink } from './fields.ts'
import { LinkForm, type LinkFormProps } from './form.tsx'
import { LinkList } from './list.tsx'
import { LinkResult } from './result.tsx'

const PAGE_SIZE = 30

export const linksScreens = (screens: Screens): Route[] => [
  screens.app('GET', '/links', list),
  screens.app('GET', '/links/new', askNew),
  screens.app('POST', '/links/new', create, { formBytes: LIMITS.longFormBytes }),
  screens.app('GET', '/links/{paymentId}', show),
]

/** Links are found by the audit entries of their creation, which also tell who made them. */
async function list(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const found = await auditEntries(ctx, app.licenseId, {
    appId: app.appId,
    action: 'link.created',
    before: readId(call.query.cursor ?? ''),
    limit: PAGE_SIZE + 1,
  })
  const entries = found.slice(0, PAGE_SIZE)
  const links = await Promise.all(
    entries.map(async (entry) => ({ entry, payment: await paymentOf(visit, entry) })),
  )
  const next = found.length > PAGE_SIZE ? String(entries.at(-1)?.entryId) : undefined
  return drawScreen(visit, {
    name: 'links',
    title: texts.links.title,
    actions: (
      <GetButton href={`${base}/links/new`} kind="primary">
        {texts.links.create}
      </GetButton>
    ),
    children: <LinkList visit={visit} links={links} next={next} />,
  })
}

/** Undefined after the payments of a sandbox app were cleared. */
async function paymentOf({ ctx, app }: AppVisit, { target }: AuditEntry): Promise<Payment | undefined> {
  try {
    return await getPayment(ctx, app, readId(target.replace('payment:', '')))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The fields of an address, for a form that begins with some of them filled in. */
const fieldsOf = ({ call }: AppVisit): LinkFields => ({
  text: (name) => ((call.isPost ? call.form.get(name) : call.query[name]) ?? '').trim(),
  methods: call.isPost ? call.fieldsOf('method') : [],
})

const askNew = (visit: AppVisit): PageAnswer => draw(visit, {})

function draw(visit: AppVisit, more: Partial<LinkFormProps>, status = 200): PageAnswer {
  const { texts, base } = visit
  return drawScreen(visit, {
    name: 'links',
    title: texts.links.newTitle,
    crumbs: [{ label: texts.links.title, href: `${base}/links` }],
    status,
    children: <LinkForm visit={visit} fields={fieldsOf(visit)} choices={choicesOf(visit)} {...more} />,
  })
}

async function create(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, base, person } = visit
  const fields = fieldsOf(visit)
  const { currencies } = choicesOf(visit)
  const options = { now: appNow(ctx, app), timeZone: person.timeZone ?? 'UTC', currencies }
  const read = readLink(fields, options)
  const chosen = await chooseCustomer(visit, fields)
  if ('problems' in read || 'problem' in chosen) {
    const problems = 'problems' in read ? read.problems : []
    return draw(visit, { problems, ...('problem' in chosen ? { customer: chosen } : {}) }, 422)
  }
  try {
    const { paymentId } = await createLink(visit, read.order, chosen.customer)
    return seeOther(`${base}/links/${paymentId}?note=created`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return draw(visit, { refusal: error.message }, error.status)
  }
}

async function show(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const payment = await getPayment(ctx, app, readId(call.params.paymentId ?? ''))
  return drawScreen(visit, {
    name: 'links',
    title: texts.links.resultTitle,
    crumbs: [{ label: texts.links.title, href: `${base}/links` }],
    flash: call.query.note === 'created' ? { kind: 'ok', text: texts.links.created } : undefined,
    children: <LinkResult visit={visit} payment={payment} />,
  })
}
