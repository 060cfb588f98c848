import { ApiError, notFound } from '../../../base/errors.ts'
import {
  changePolicy,
  createPolicy,
  getPolicy,
  policyUses,
  removePolicy,
  type StoredPolicy,
} from '../../../fraud/policies/commands.ts'
import type { Policy } from '../../../fraud/policy.ts'
import { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import { readId } from '../../../http/wire.ts'
import { countryName, shortName } from '../../kit/format/names.ts'
import { shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { question } from '../../kit/question.tsx'
import { retryForm, sentenceErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { contentOf, draftOf, type PolicyDraft, readDraft, readName, rearranged } from './draft.ts'
import { PolicyEditor } from './editor.tsx'
import { type Simulation, SimulationResult } from './simulation.tsx'
import { ruleText } from './words.ts'

export const crumbsOf = ({ texts, base }: AppRequest) => [{ label: texts.fraud.title, href: `${base}/fraud` }]

export function policyIdOf({ call }: AppRequest): number {
  const policyId = readId(call.params.policyId ?? '')
  if (policyId === undefined) throw notFound('The fraud policy')
  return policyId
}

const requestedPolicy = async (request: AppRequest): Promise<StoredPolicy> =>
  getPolicy(request.ctx, request.app, policyIdOf(request))

export async function show(request: AppRequest): Promise<PageAnswer> {
  const policy = await requestedPolicy(request)
  return renderPolicy(request, { policy, draft: draftOf(policy) })
}

/** Every button of the editor. What was typed is drawn again, until it is saved. */
export async function edit(request: AppRequest): Promise<PageAnswer> {
  const policy = await requestedPolicy(request)
  const draft = readDraft(request)
  const act = request.call.form.get('act') ?? ''
  return retryForm(
    async () => {
      if (act === 'simulate') return simulate(request, policy, draft)
      if (act === 'save') return save(request, policy, draft)
      if (act === 'saveAs') return saveAs(request, draft)
      const changed = rearranged(draft, act)
      const newRule = changed.rules.length > draft.rules.length ? draft.rules.length : undefined
      return renderPolicy(request, { policy, draft: changed, newRule })
    },
    (problem) => renderPolicy(request, { policy, draft, problem }),
  )
}

/** Of a simulation. */
export const DAYS = 30

async function simulate(request: AppRequest, policy: StoredPolicy, draft: PolicyDraft): Promise<PageAnswer> {
  const wanted = { ...policy, ...contentOf(request, draft) }
  const simulation = await simulatePolicy(request.ctx, request.app, wanted, DAYS)
  return renderPolicy(request, { policy, draft, simulation })
}

async function save(request: AppRequest, policy: StoredPolicy, draft: PolicyDraft): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = request
  if (call.form.get('version') !== String(policy.version))
    throw new ApiError('not_possible', texts.fraud.changed, { isTranslated: true })
  const { policyId } = policy
  await changePolicy(ctx, app, contentOf(request, draft), { policyId, keyId: undefined })
  return seeOther(`${base}/fraud/${policyId}?note=saved`)
}

async function saveAs(request: AppRequest, draft: PolicyDraft): Promise<PageAnswer> {
  const name = readName(request, 'copyName')
  const content = { ...contentOf(request, draft), name }
  const { policyId } = await createPolicy(request.ctx, request.app, content, undefined)
  return seeOther(`${request.base}/fraud/${policyId}?note=created`)
}

interface PolicyState {
  readonly policy: StoredPolicy
  readonly draft: PolicyDraft
  readonly problem?: ApiError
  readonly simulation?: Simulation
  /** The place of a rule that was just added. */
  readonly newRule?: number | undefined
}

/** The page of one policy: what it is, the result of a simulation, and its editor. */
function renderPolicy(request: AppRequest, state: PolicyState): PageAnswer {
  const { app, base, call, texts } = request
  const { policy, draft, problem, simulation, newRule } = state
  const { fraud } = texts
  const path = `${base}/fraud/${policy.policyId}`
  const isDefault = app.defaultFraudPolicyId === policy.policyId
  const mayChange = request.can('FraudPolicyWrite')
  const errors = sentenceErrors(request, problem)
  return renderScreen(request, {
    name: 'fraud',
    title: shortName(policy),
    crumbs: crumbsOf(request),
    status: errors.status,
    actions: mayChange && (
      <>
        <PostButton action={`${path}/default`} hidden={{ value: isDefault ? 'no' : 'yes' }}>
          {isDefault ? fraud.clearDefault : fraud.makeDefault}
        </PostButton>
        <QuestionButton
          href={`${path}/delete`}
          kind="danger"
          disabled={isDefault ? fraud.deleteDefault : undefined}
        >
          {fraud.delete}
        </QuestionButton>
      </>
    ),
    children: (
      <>
        <p class="policy-facts">
          {isDefault && <span class="pill green">{fraud.isDefault}</span>}
          <span class="muted">{isDefault ? fraud.defaultHint : fraud.notDefaultHint}</span>
          <a href={`${path}/versions`}>{`${fraud.version} ${policy.version}`}</a>
        </p>
        {simulation && <SimulationResult simulation={simulation} />}
        {mayChange ? (
          <PolicyEditor
            action={path}
            version={call.form.get('version') ?? String(policy.version)}
            {...{ draft, errors, newRule }}
          />
        ) : (
          <PolicyText policy={policy} />
        )}
      </>
    ),
  })
}

/** Countries by name; addresses as they are. */
const listOf = (request: AppRequest, items: readonly string[]): string =>
  shortText(items.map((item) => countryName(request, item)).join(', '), 200) ?? '–'

const LISTS = ['allowedCountries', 'blockedCountries', 'allowedAddresses', 'blockedAddresses'] as const

/** For people who may look but not change. */
function PolicyText({ policy: { firewall, rules } }: { readonly policy: Policy }) {
  const request = useRequest()
  const { fraud, frame } = request.texts
  const { fields } = fraud
  return (
    <>
      <Card title={fraud.rules}>
        {rules.length === 0 && <p class="muted">{frame.none}</p>}
        <ol class="rule-texts">
          {rules.map((rule) => (
            <li>
              <bdi>{ruleText(request, rule)}</bdi>
            </li>
          ))}
        </ol>
      </Card>
      <Card title={fraud.firewall}>
        <KeyValue
          rows={[
            ...LISTS.map((name) => [fields[name].label, listOf(request, firewall[name])] as const),
            [fields.maxRiskScore.label, firewall.maxRiskScore ?? '–'],
            [fields.matchCardCountry.label, firewall.matchCardCountry ? frame.yes : frame.no],
            [fields.whenUnavailable.label, fraud.unavailable[firewall.whenUnavailable]],
          ]}
        />
      </Card>
    </>
  )
}

export async function changeDefault(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, base } = request
  const { policyId } = await requestedPolicy(request)
  const isDefault = call.form.get('value') !== 'no'
  await changePolicy(ctx, app, { isDefault }, { policyId, keyId: undefined })
  return seeOther(`${base}/fraud/${policyId}?note=${isDefault ? 'default' : 'noDefault'}`)
}

export const deleteRoutes = question('/fraud/{policyId}/delete', 'FraudPolicyWrite', {
  kind: 'danger',
  crumbs: crumbsOf,
  subject: async (request) => {
    const policy = await requestedPolicy(request)
    return { name: shortName(policy), ...(await policyUses(request.ctx, request.app, policy.policyId)) }
  },
  texts: ({ fraud }, { name, customers, most, isDefault }) => ({
    title: fraud.deleteTitle({ name }),
    body: [
      ...(isDefault ? [fraud.deleteDefault] : []),
      customers > 0
        ? fraud.deleteCustomers({ count: customers, isMore: customers >= most })
        : fraud.deleteUnused,
      fraud.deleteKept,
    ],
    button: fraud.deleteOne({ name }),
  }),
  run: async (request) => {
    await removePolicy(request.ctx, request.app, { policyId: policyIdOf(request), keyId: undefined })
    return seeOther(`${request.base}/fraud?note=deleted`)
  },
})
