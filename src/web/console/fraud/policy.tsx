import type { StoredPolicy } from '../../../fraud/policies/commands.ts'
import type { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { FormErrors } from '../../kit/refusal.ts'
import { AskButton, PostButton } from '../../kit/html/forms.tsx'
import type { PolicyDraft } from './draft.ts'
import { PolicyEditor } from './editor.tsx'
import { PolicyText } from './list.tsx'
import { SimulationResult } from './simulation.tsx'
import { policyName } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'

export interface PolicyState {
  readonly policy: StoredPolicy
  readonly draft: PolicyDraft
  readonly errors: FormErrors
  readonly simulation?: Awaited<ReturnType<typeof simulatePolicy>>
  readonly newRule?: number | undefined
  readonly flash?: ScreenProps['flash']
}

/** The page of one policy: what it is, the result of a simulation, and its editor. */
export function renderPolicy(request: AppRequest, state: PolicyState): PageAnswer {
  const { app, base, texts, call } = request
  const { policy, draft, errors, simulation, newRule, flash } = state
  const isDefault = app.defaultFraudPolicyId === policy.policyId
  return renderScreen(request, {
    name: 'fraud',
    title: policyName(policy),
    crumbs: [{ label: texts.fraud.title, href: `${base}/fraud` }],
    status: errors.status,
    flash,
    actions: <Actions policy={policy} isDefault={isDefault} />,
    children: (
      <>
        <p class="policy-facts">
          {isDefault && <span class="pill green">{texts.fraud.isDefault}</span>}
          <span class="muted">{isDefault ? texts.fraud.defaultHint : texts.fraud.notDefaultHint}</span>
          <a href={`${base}/fraud/${policy.policyId}/versions`}>
            {`${texts.fraud.version} ${policy.version}`}
          </a>
        </p>
        {simulation && <SimulationResult simulation={simulation} />}
        {request.can('FraudPolicyWrite') ? (
          <PolicyEditor
            policyId={policy.policyId}
            version={call.form.get('version') ?? String(policy.version)}
            draft={draft}
            errors={errors}
            newRule={newRule}
          />
        ) : (
          <PolicyText policy={policy} />
        )}
      </>
    ),
  })
}

interface ActionsProps {
  readonly policy: StoredPolicy
  readonly isDefault: boolean
}

function Actions({ policy, isDefault }: ActionsProps) {
  const request = useRequest()
  const { fraud } = request.texts
  const path = `${request.base}/fraud/${policy.policyId}`
  if (!request.can('FraudPolicyWrite')) return null
  return (
    <>
      <PostButton action={`${path}/default`} hidden={{ value: isDefault ? 'no' : 'yes' }}>
        {isDefault ? fraud.clearDefault : fraud.makeDefault}
      </PostButton>
      <AskButton href={`${path}/delete`} kind="danger" disabled={isDefault ? fraud.deleteDefault : undefined}>
        {fraud.delete}
      </AskButton>
    </>
  )
}
