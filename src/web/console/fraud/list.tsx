import type { ApiError } from '../../../base/errors.ts'
import {
  createPolicy,
  type PolicyVersion,
  policyPage,
  versionPage,
} from '../../../fraud/policies/commands.ts'
import type { Policy } from '../../../fraud/policy.ts'
import { readId } from '../../../http/wire.ts'
import { Fields, text } from '../../kit/form.tsx'
import { shortName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Form, GetButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { List, withQuery } from '../../kit/list.tsx'
import { errorsByField, type FormErrors, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { readName } from './draft.ts'
import { crumbsOf, policyIdOf } from './policy.tsx'
import { fraudTabs } from './tabs.ts'
import { changesText, hasFirewall } from './words.ts'

export const showList = (request: AppRequest): Promise<PageAnswer> => renderList(request)

async function renderList(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, base, texts } = request
  const { fraud } = texts
  const { items } = await policyPage(ctx, app, 0)
  const errors = errorsByField(problem)
  const isDefault = ({ policyId }: Policy) => policyId === app.defaultFraudPolicyId
  return renderScreen(request, {
    name: 'fraud',
    title: fraud.title,
    tabs: fraudTabs(request, 'policies'),
    actions: request.can('FraudPolicyWrite') && (
      <GetButton href={`${base}/fraud/choose`} kind="primary">
        {texts.templates.title}
      </GetButton>
    ),
    problem: errors.of('name') ? undefined : problem,
    status: errors.status,
    children: (
      <>
        <p class="muted">{fraud.intro}</p>
        <List
          caption={fraud.title}
          items={[...items].sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)))}
          href={({ policyId }) => `${base}/fraud/${policyId}`}
          columns={[
            {
              label: fraud.policy,
              cell: (policy) => (
                <>
                  <a href={`${base}/fraud/${policy.policyId}`}>
                    <bdi>{shortName(policy)}</bdi>
                  </a>
                  {isDefault(policy) && <span class="badge">{fraud.isDefault}</span>}
                </>
              ),
            },
            { label: fraud.rules, end: true, cell: ({ rules }) => rules.length },
            {
              label: fraud.firewall,
              cell: (policy) => (hasFirewall(policy) ? fraud.firewallOn : fraud.firewallOff),
            },
            { label: fraud.version, end: true, cell: ({ version }) => version },
          ]}
          empty={{ title: fraud.empty, body: fraud.emptyBody }}
        />
        {request.can('FraudPolicyWrite') && <CreatePolicy errors={errors} />}
      </>
    ),
  })
}

const NAME = text('name', { required: true, maxLength: 200 })

function CreatePolicy({ errors }: { readonly errors: FormErrors }) {
  const { base, call, texts } = useRequest()
  const { fraud } = texts
  return (
    <Card title={fraud.create} class="form-card">
      <Form action={`${base}/fraud`} button={fraud.create}>
        <Fields
          fields={[NAME]}
          texts={fraud.fields}
          values={{ name: call.form.get('name') ?? '' }}
          errors={errors}
        />
      </Form>
    </Card>
  )
}

export const createNamed = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    async () => {
      const name = readName(request, 'name')
      const { policyId } = await createPolicy(request.ctx, request.app, { name }, undefined)
      return seeOther(`${request.base}/fraud/${policyId}?note=created`)
    },
    (problem) => renderList(request, problem),
  )

/** Who changed what. The page of a deleted policy still exists. */
export async function showVersions(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call, texts } = request
  const { fraud } = texts
  const policyId = policyIdOf(request)
  const { items, hasNext } = await versionPage(ctx, app, policyId, readId(call.query.before ?? ''))
  const [newest] = items
  const name = newest ? shortName(newest) : ''
  return renderScreen(request, {
    name: 'fraud',
    title: fraud.versionsOf({ name }),
    crumbs: [...crumbsOf(request), { label: name, href: `${base}/fraud/${policyId}` }],
    children: (
      <>
        <List
          caption={fraud.versions}
          items={items}
          columns={[
            { label: fraud.version, end: true, cell: ({ version }) => version },
            { label: fraud.time, cell: ({ changedTime }) => <Time time={changedTime} style="second" /> },
            {
              label: fraud.who,
              cell: ({ changedName }) => (
                <bdi>{shortText(changedName ?? undefined, NAME_SHOWN) ?? fraud.unknownAuthor}</bdi>
              ),
            },
            {
              label: fraud.change,
              cell: (version) => <Changes version={version} before={items[items.indexOf(version) + 1]} />,
            },
          ]}
        />
        {hasNext && (
          <a href={withQuery(call.path, { before: String(items.at(-1)?.version) })} rel="next">
            {fraud.older}
          </a>
        )}
      </>
    ),
  })
}

function Changes(props: { readonly version: PolicyVersion; readonly before: PolicyVersion | undefined }) {
  const request = useRequest()
  const { fraud } = request.texts
  const { version, before } = props
  if (version.change === 'Created') return <>{fraud.created}</>
  const changes = before ? changesText(request, before, version) : []
  return (
    <ul class="explained">
      {(changes.length > 0 ? changes : before ? [fraud.sameContent] : ['…']).map((text) => (
        <li>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  )
}
