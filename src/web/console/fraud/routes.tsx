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
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { type Crumb, renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../../kit/refusal.ts'
import { Question } from '../../kit/html/forms.tsx'
import { withQuery } from '../../kit/list.tsx'
import { contentOf, draftOf, type PolicyDraft, readDraft, rearranged } from './draft.ts'
import { CreatePolicy, PolicyList, VersionTable } from './list.tsx'
import { renderPolicy } from './policy.tsx'
import { policyName } from './words.ts'

export function fraudScreens(): ScreenRoute[] {
  const one = '/fraud/{policyId}'
  return [
    app('GET', '/fraud', 'FraudPolicyRead', (request) => renderList(request, NO_ERRORS)),
    app('POST', '/fraud', 'FraudPolicyWrite', create),
    app('GET', one, 'FraudPolicyRead', show),
    // Lists of up to 60,000 characters.
    app('POST', one, 'FraudPolicyWrite', edit, { formBytes: LIMITS.bodyBytes }),
    app('GET', `${one}/versions`, 'FraudPolicyRead', showVersions),
    app('POST', `${one}/default`, 'FraudPolicyWrite', changeDefault),
    app('GET', `${one}/delete`, 'FraudPolicyWrite', askDelete),
    app('POST', `${one}/delete`, 'FraudPolicyWrite', remove),
  ]
}

const crumbsOf = ({ texts, base }: AppRequest): Crumb[] => [
  { label: texts.fraud.title, href: `${base}/fraud` },
]

function noteOf({ call, texts }: AppRequest): ScreenProps['flash'] {
  const notes: Readonly<Record<string, string>> = texts.fraud.notes
  const text = Object.hasOwn(notes, call.query.note ?? '') ? notes[call.query.note ?? ''] : undefined
  return text === undefined ? undefined : { kind: 'ok', text }
}

async function renderList(request: AppRequest, errors: FormErrors): Promise<PageAnswer> {
  const { ctx, app, texts } = request
  const { items } = await policyPage(ctx, app, 0)
  const hasFields = errors.of('name') !== undefined
  return renderScreen(request, {
    name: 'fraud',
    title: texts.fraud.title,
    status: errors.status,
    flash: errors.message === '' || hasFields ? noteOf(request) : { kind: 'bad', text: errors.message },
    children: (
      <>
        <p class="muted">{texts.fraud.intro}</p>
        <PolicyList policies={items} />
        {request.can('FraudPolicyWrite') && <CreatePolicy errors={errors} />}
      </>
    ),
  })
}

function readName({ texts }: AppRequest, text: string | undefined, field: string): string {
  const name = (text ?? '').trim()
  if (name === '' || name.length > LIMITS.nameLength)
    throw invalid([{ field, message: texts.fraud.nameMissing }])
  return name
}

async function create(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base } = request
  try {
    const name = readName(request, call.form.get('name'), 'name')
    const { policyId } = await createPolicy(ctx, app, { name }, undefined)
    return seeOther(`${base}/fraud/${policyId}?note=created`)
  } catch (error) {
    return renderList(request, readRefusal(request, error))
  }
}

function requestedPolicy({ ctx, app, call }: AppRequest): Promise<StoredPolicy> {
  const policyId = readId(call.params.policyId ?? '')
  if (policyId === undefined) throw notFound('The fraud policy')
  return getPolicy(ctx, app, policyId)
}

async function show(request: AppRequest): Promise<PageAnswer> {
  const policy = await requestedPolicy(request)
  return renderPolicy(request, { policy, draft: draftOf(policy), errors: NO_ERRORS, flash: noteOf(request) })
}

/** Every button of the editor. What was typed is drawn again, until it is saved. */
async function edit(request: AppRequest): Promise<PageAnswer> {
  const policy = await requestedPolicy(request)
  const draft = readDraft(request)
  const act = request.call.form.get('act') ?? ''
  try {
    if (act === 'simulate') return await simulate(request, policy, draft)
    if (act === 'save') return await save(request, policy, draft)
    if (act === 'saveAs') return await saveAs(request, draft)
  } catch (error) {
    return renderPolicy(request, { policy, draft, errors: readRefusal(request, error) })
  }
  const changed = rearranged(draft, act)
  const newRule = changed.rules.length > draft.rules.length ? draft.rules.length : undefined
  return renderPolicy(request, { policy, draft: changed, errors: NO_ERRORS, newRule })
}

const DAYS = 30

async function simulate(request: AppRequest, policy: StoredPolicy, draft: PolicyDraft): Promise<PageAnswer> {
  const { ctx, app } = request
  const simulation = await simulatePolicy(ctx, app, { ...policy, ...contentOf(request, draft) }, DAYS)
  return renderPolicy(request, { policy, draft, errors: NO_ERRORS, simulation })
}

async function save(request: AppRequest, policy: StoredPolicy, draft: PolicyDraft): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = request
  if (call.form.get('version') !== String(policy.version))
    throw new ApiError('not_possible', texts.fraud.changed)
  const { policyId } = policy
  await changePolicy(ctx, app, contentOf(request, draft), { policyId, keyId: undefined })
  return seeOther(`${base}/fraud/${policyId}?note=saved`)
}

async function saveAs(request: AppRequest, draft: PolicyDraft): Promise<PageAnswer> {
  const { ctx, app, call, base } = request
  const name = readName(request, call.form.get('copyName'), 'copyName')
  const content = { ...contentOf(request, draft), name }
  const { policyId } = await createPolicy(ctx, app, content, undefined)
  return seeOther(`${base}/fraud/${policyId}?note=created`)
}

async function changeDefault(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base } = request
  const { policyId } = await requestedPolicy(request)
  const isDefault = call.form.get('value') !== 'no'
  await changePolicy(ctx, app, { isDefault }, { policyId, keyId: undefined })
  return seeOther(`${base}/fraud/${policyId}?note=${isDefault ? 'default' : 'noDefault'}`)
}

async function askDelete(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  const { fraud } = texts
  const policy = await requestedPolicy(request)
  const { customers, most, isDefault } = await policyUses(ctx, app, policy.policyId)
  const path = `${base}/fraud/${policy.policyId}`
  const name = policyName(policy)
  return renderScreen(request, {
    name: 'fraud',
    title: fraud.deleteTitle(name),
    crumbs: crumbsOf(request),
    children: (
      <Question action={`${path}/delete`} button={fraud.deleteOne(name)} kind="danger" back={path}>
        {isDefault && <p>{fraud.deleteDefault}</p>}
        <p>{customers > 0 ? fraud.deleteCustomers(customers, customers >= most) : fraud.deleteUnused}</p>
        <p>{fraud.deleteKept}</p>
      </Question>
    ),
  })
}

async function remove(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base } = request
  const { policyId } = await requestedPolicy(request)
  try {
    await removePolicy(ctx, app, { policyId, keyId: undefined })
  } catch (error) {
    return renderList(request, readRefusal(request, error))
  }
  return seeOther(`${base}/fraud?note=deleted`)
}

/** Who changed what. The page of a deleted policy still exists. */
async function showVersions(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const policyId = readId(call.params.policyId ?? '')
  if (policyId === undefined) throw notFound('The fraud policy')
  const { items, hasNext } = await versionPage(ctx, app, policyId, readId(call.query.before ?? ''))
  const [newest] = items
  const name = newest ? policyName(newest) : ''
  return renderScreen(request, {
    name: 'fraud',
    title: texts.fraud.versionsOf(name),
    crumbs: [...crumbsOf(request), { label: name, href: `${base}/fraud/${policyId}` }],
    children: (
      <>
        <VersionTable versions={items} />
        {hasNext && (
          <a href={withQuery(call.path, { before: String(items.at(-1)?.version) })} rel="next">
            {texts.fraud.older}
          </a>
        )}
      </>
    ),
  })
}
