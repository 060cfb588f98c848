import { ApiError, invalid, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import {
  changePolicy,
  createPolicy,
  getPolicy,
  policyPage,
  policyUses,
  removePolicy,
  type StoredPolicy,
  versionPage,
} from '../../../fraud/policies/commands.ts'
import { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import type { Route } from '../../../http/route.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import type { Screens } from '../frame/screens.tsx'
import { type Crumb, drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../parts/form-errors.ts'
import { Ask } from '../parts/forms.tsx'
import { withQuery } from '../parts/table.tsx'
import { contentOf, draftOf, type PolicyDraft, readDraft, rearranged } from './draft.ts'
import { CreatePolicy, PolicyList, VersionTable } from './list.tsx'
import { drawPolicy } from './policy.tsx'
import { policyName } from './words.ts'

export function fraudScreens({ app }: Screens): Route[] {
  const one = '/fraud/{policyId}'
  return [
    app('GET', '/fraud', (visit) => drawList(visit, NO_ERRORS)),
    app('POST', '/fraud', create),
    app('GET', one, show),
    // Lists of up to 60,000 characters.
    app('POST', one, edit, { formBytes: LIMITS.bodyBytes }),
    app('GET', `${one}/versions`, showVersions),
    app('POST', `${one}/default`, changeDefault),
    app('GET', `${one}/delete`, askDelete),
    app('POST', `${one}/delete`, remove),
  ]
}

const crumbsOf = ({ texts, base }: AppVisit): Crumb[] => [{ label: texts.fraud.title, href: `${base}/fraud` }]

function noteOf({ call, texts }: AppVisit): ScreenProps['flash'] {
  const notes: Readonly<Record<string, string>> = texts.fraud.notes
  const text = Object.hasOwn(notes, call.query.note ?? '') ? notes[call.query.note ?? ''] : undefined
  return text === undefined ? undefined : { kind: 'ok', text }
}

async function drawList(visit: AppVisit, errors: FormErrors): Promise<PageAnswer> {
  const { ctx, app, texts } = visit
  const { items } = await policyPage(ctx, app, 0)
  const hasFields = errors.of('name') !== undefined
  return drawScreen(visit, {
    name: 'fraud',
    title: texts.fraud.title,
    status: errors.status,
    flash: errors.message === '' || hasFields ? noteOf(visit) : { kind: 'bad', text: errors.message },
    children: (
      <>
        <p class="muted">{texts.fraud.intro}</p>
        <PolicyList visit={visit} policies={items} />
        {visit.can('FraudPolicyWrite') && <CreatePolicy visit={visit} errors={errors} />}
      </>
    ),
  })
}

function readName({ texts }: AppVisit, text: string | undefined, field: string): string {
  const name = (text ?? '').trim()
  if (name === '' || name.length > LIMITS.nameLength)
    throw invalid([{ field, message: texts.fraud.nameMissing }])
  return name
}

async function create(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, base } = visit
  try {
    const name = readName(visit, call.form.get('name'), 'name')
    const { policyId } = await createPolicy(ctx, app, { name }, undefined)
    return seeOther(`${base}/fraud/${policyId}?note=created`)
  } catch (error) {
    return drawList(visit, readRefusal(visit, error))
  }
}

function requestedPolicy({ ctx, app, call }: AppVisit): Promise<StoredPolicy> {
  const policyId = readId(call.params.policyId ?? '')
  if (policyId === undefined) throw notFound('The fraud policy')
  return getPolicy(ctx, app, policyId)
}

async function show(visit: AppVisit): Promise<PageAnswer> {
  const policy = await requestedPolicy(visit)
  return drawPolicy(visit, { policy, draft: draftOf(policy), errors: NO_ERRORS, flash: noteOf(visit) })
}

/** Every button of the editor. What was typed is drawn again, until it is saved. */
async function edit(visit: AppVisit): Promise<PageAnswer> {
  const policy = await requestedPolicy(visit)
  const draft = readDraft(visit)
  const act = visit.call.form.get('act') ?? ''
  try {
    if (act === 'simulate') return await simulate(visit, policy, draft)
    if (act === 'save') return await save(visit, policy, draft)
    if (act === 'saveAs') return await saveAs(visit, draft)
  } catch (error) {
    return drawPolicy(visit, { policy, draft, errors: readRefusal(visit, error) })
  }
  const changed = rearranged(draft, act)
  const newRule = changed.rules.length > draft.rules.length ? draft.rules.length : undefined
  return drawPolicy(visit, { policy, draft: changed, errors: NO_ERRORS, newRule })
}

const DAYS = 30

async function simulate(visit: AppVisit, policy: StoredPolicy, draft: PolicyDraft): Promise<PageAnswer> {
  const { ctx, app } = visit
  const simulation = await simulatePolicy(ctx, app, { ...policy, ...contentOf(visit, draft) }, DAYS)
  return drawPolicy(visit, { policy, draft, errors: NO_ERRORS, simulation })
}

async function save(visit: AppVisit, policy: StoredPolicy, draft: PolicyDraft): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = visit
  if (call.form.get('version') !== String(policy.version))
    throw new ApiError('not_possible', texts.fraud.changed)
  const { policyId } = policy
  await changePolicy(ctx, app, contentOf(visit, draft), { policyId, keyId: undefined })
  return seeOther(`${base}/fraud/${policyId}?note=saved`)
}

async function saveAs(visit: AppVisit, draft: PolicyDraft): Promise<PageAnswer> {
  const { ctx, app, call, base } = visit
  const name = readName(visit, call.form.get('copyName'), 'copyName')
  const content = { ...contentOf(visit, draft), name }
  const { policyId } = await createPolicy(ctx, app, content, undefined)
  return seeOther(`${base}/fraud/${policyId}?note=created`)
}

async function changeDefault(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, base } = visit
  const { policyId } = await requestedPolicy(visit)
  const isDefault = call.form.get('value') !== 'no'
  await changePolicy(ctx, app, { isDefault }, { policyId, keyId: undefined })
  return seeOther(`${base}/fraud/${policyId}?note=${isDefault ? 'default' : 'noDefault'}`)
}

async function askDelete(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, base, texts } = visit
  const { fraud } = texts
  const policy = await requestedPolicy(visit)
  const { customers, most, isDefault } = await policyUses(ctx, app, policy.policyId)
  const path = `${base}/fraud/${policy.policyId}`
  const name = policyName(policy)
  return drawScreen(visit, {
    name: 'fraud',
    title: fraud.deleteTitle(name),
    crumbs: crumbsOf(visit),
    children: (
      <Ask visit={visit} action={`${path}/delete`} button={fraud.deleteOne(name)} kind="danger" back={path}>
        {isDefault && <p>{fraud.deleteDefault}</p>}
        <p>{customers > 0 ? fraud.deleteCustomers(customers, customers >= most) : fraud.deleteUnused}</p>
        <p>{fraud.deleteKept}</p>
      </Ask>
    ),
  })
}

async function remove(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, base } = visit
  const { policyId } = await requestedPolicy(visit)
  try {
    await removePolicy(ctx, app, { policyId, keyId: undefined })
  } catch (error) {
    return drawList(visit, readRefusal(visit, error))
  }
  return seeOther(`${base}/fraud?note=deleted`)
}

/** Who changed what. The page of a deleted policy still exists. */
async function showVersions(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const policyId = readId(call.params.policyId ?? '')
  if (policyId === undefined) throw notFound('The fraud policy')
  const { items, hasNext } = await versionPage(ctx, app, policyId, readId(call.query.before ?? ''))
  const [newest] = items
  const name = newest ? policyName(newest) : ''
  return drawScreen(visit, {
    name: 'fraud',
    title: texts.fraud.versionsOf(name),
    crumbs: [...crumbsOf(visit), { label: name, href: `${base}/fraud/${policyId}` }],
    children: (
      <>
        <VersionTable visit={visit} versions={items} />
        {hasNext && (
          <a href={withQuery(call.path, { before: String(items.at(-1)?.version) })} rel="next">
            {texts.fraud.older}
          </a>
        )}
      </>
    ),
  })
}
