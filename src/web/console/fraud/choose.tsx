import type { ApiError } from '../../../base/errors.ts'
import { createPolicy } from '../../../fraud/policies/commands.ts'
import { policyFrom, TEMPLATE_IDS, type TemplateId } from '../../../fraud/policies/templates.ts'
import { NO_FIREWALL } from '../../../fraud/policy.ts'
import { simulatePolicy } from '../../../fraud/simulation/simulate.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { retryForm, sentenceErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { contentOf, draftOf, type PolicyDraft, readDraft, rearranged } from './draft.ts'
import { PolicyEditor } from './editor.tsx'
import { crumbsOf, DAYS } from './policy.tsx'
import { type Simulation, SimulationResult } from './simulation.tsx'
import { ruleText } from './words.ts'

/** A new policy from a template. Nothing is stored before it is saved, and then it applies to no payment. */

const isTemplate = (text: string | undefined): text is TemplateId => TEMPLATE_IDS.some((id) => id === text)

function templatePolicy({ app, texts }: AppRequest, id: TemplateId) {
  return policyFrom(id, texts.templates.items[id], app.profiles[0]?.currency ?? null)
}

export function showTemplates(request: AppRequest): PageAnswer {
  const { base, texts } = request
  const { templates } = texts
  return renderScreen(request, {
    name: 'fraud',
    title: templates.title,
    crumbs: crumbsOf(request),
    children: (
      <>
        <p class="muted">{templates.intro}</p>
        <ul class="templates">
          {TEMPLATE_IDS.map((id) => (
            <li>
              <Card title={templates.items[id].title}>
                <p>{templates.items[id].does}</p>
                <ul class="small muted">
                  {templatePolicy(request, id).rules.map((rule) => (
                    <li>{ruleText(request, rule)}</li>
                  ))}
                </ul>
                <div class="buttons">
                  <GetButton href={`${base}/fraud/new?template=${id}`}>
                    {templates.choose}
                    <span class="visually-hidden">{`: ${templates.items[id].title}`}</span>
                  </GetButton>
                </div>
              </Card>
            </li>
          ))}
        </ul>
      </>
    ),
  })
}

const EMPTY = { name: '', rules: [], firewall: NO_FIREWALL }

export function showNew(request: AppRequest): PageAnswer {
  const { template } = request.call.query
  const content = isTemplate(template) ? templatePolicy(request, template) : EMPTY
  return renderNew(request, { draft: draftOf(content) })
}

/** Every button of the editor, as for a stored policy. */
export async function editNew(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call } = request
  const draft = readDraft(request)
  const act = call.form.get('act') ?? ''
  return retryForm(
    async () => {
      if (act === 'simulate') {
        const policy = { policyId: 0, version: 0, ...contentOf(request, draft) }
        return renderNew(request, { draft, simulation: await simulatePolicy(ctx, app, policy, DAYS) })
      }
      if (act === 'save') {
        const { policyId } = await createPolicy(ctx, app, contentOf(request, draft), undefined)
        return seeOther(`${base}/fraud/${policyId}?note=created`)
      }
      return renderNew(request, { draft: rearranged(draft, act), act })
    },
    (problem) => renderNew(request, { draft, problem }),
  )
}

interface NewPolicy {
  readonly draft: PolicyDraft
  readonly problem?: ApiError
  readonly simulation?: Simulation
  /** The button that was pressed. */
  readonly act?: string
}

function renderNew(request: AppRequest, { draft, problem, simulation, act }: NewPolicy): PageAnswer {
  const { base, texts } = request
  const errors = sentenceErrors(request, problem)
  return renderScreen(request, {
    name: 'fraud',
    title: texts.fraud.create,
    crumbs: crumbsOf(request),
    status: errors.status,
    children: (
      <>
        <p class="muted">{texts.templates.notYet}</p>
        {simulation && <SimulationResult simulation={simulation} />}
        <PolicyEditor
          action={`${base}/fraud/new`}
          draft={draft}
          errors={errors}
          newRule={act === 'add' ? draft.rules.length - 1 : undefined}
        />
      </>
    ),
  })
}
