import type { StoredPolicy } from '../../../fraud/policies/commands.ts'
import type { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import type { FormErrors } from '../parts/form-errors.ts'
import { AskButton, PostButton } from '../parts/forms.tsx'
import type { PolicyDraft } from './draft.ts'
import { PolicyEditor } from './editor.tsx'
import { PolicyText } from './list.tsx'
import { SimulationResult } from './simulation.tsx'
import { policyName } from './words.ts'

export interface PolicyState {
  readonly policy: StoredPolicy
  readonly draft: PolicyDraft
  readonly errors: FormErrors
  readonly simulation?: Awaited<ReturnType<typeof simulatePolicy>>
  readonly newRule?: number | undefined
  readonly flash?: ScreenProps['flash']
}

/** The page of one policy: what it is, the result of a simulation, and its editor. */
export function drawPolicy(visit: AppVisit, state: PolicyState): PageAnswer {
  const { app, base, texts, call } = visit
  const { policy, draft, errors, simulation, newRule, flash } = state
  const isDefault = app.defaultFraudPolicyId === policy.policyId
  return drawScreen(visit, {
    name: 'fraud',
    title: policyName(policy),
    crumbs: [{ label: texts.fraud.title, href: `${base}/fraud` }],
    status: errors.status,
    flash,
    actions: <Actions visit={visit} policy={policy} isDefault={isDefault} />,
    children: (
      <>
        <p class="policy-facts">
          {isDefault && <span class="pill green">{texts.fraud.isDefault}</span>}
          <span class="muted">{isDefault ? texts.fraud.defaultHint : texts.fraud.notDefaultHint}</span>
          <a href={`${base}/fraud/${policy.policyId}/versions`}>
            {`${texts.fraud.version} ${policy.version}`}
          </a>
        </p>
        {simulation && <SimulationResult visit={visit} simulation={simulation} />}
        {visit.can('FraudPolicyWrite') ? (
          <PolicyEditor
            visit={visit}
            policyId={policy.policyId}
            version={call.form.get('version') ?? String(policy.version)}
            draft={draft}
            errors={errors}
            newRule={newRule}
          />
        ) : (
          <PolicyText visit={visit} policy={policy} />
        )}
      </>
    ),
  })
}

interface ActionsProps {
  readonly visit: AppVisit
  readonly policy: StoredPolicy
  readonly isDefault: boolean
}

function Actions({ visit, policy, isDefault }: ActionsProps) {
  const { fraud } = visit.texts
  const path = `${visit.base}/fraud/${policy.policyId}`
  if (!visit.can('FraudPolicyWrite')) return null
  return (
    <>
      <PostButton visit={visit} action={`${path}/default`} hidden={{ value: isDefault ? 'no' : 'yes' }}>
        {isDefault ? fraud.clearDefault : fraud.makeDefault}
      </PostButton>
      <AskButton href={`${path}/delete`} kind="danger" disabled={isDefault ? fraud.deleteDefault : undefined}>
        {fraud.delete}
      </AskButton>
    </>
  )
}
