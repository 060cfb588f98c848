import type { PolicyVersion, StoredPolicy } from '../../../fraud/policies/commands.ts'
import type { Policy } from '../../../fraud/policy.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { FormErrors } from '../../kit/refusal.ts'
import { Form } from '../../kit/html/forms.tsx'
import { EmptyState, Table } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { changesText, hasFirewall, policyName, ruleText } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'

interface ListProps {
  readonly policies: readonly StoredPolicy[]
}

export function PolicyList({ policies }: ListProps) {
  const { app, base, texts } = useRequest()
  const { fraud } = texts
  if (policies.length === 0)
    return (
      <EmptyState title={fraud.empty}>
        <p>{fraud.emptyBody}</p>
      </EmptyState>
    )
  const isDefault = (policy: Policy) => policy.policyId === app.defaultFraudPolicyId
  const sorted = [...policies].sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
  return (
    <Table
      caption={fraud.title}
      columns={[
        { label: fraud.policy },
        { label: fraud.rules, end: true },
        { label: fraud.firewall },
        { label: fraud.version, end: true },
      ]}
      rows={sorted.map((policy) => ({
        href: `${base}/fraud/${policy.policyId}`,
        cells: [
          <>
            <a href={`${base}/fraud/${policy.policyId}`}>
              <bdi>{policyName(policy)}</bdi>
            </a>
            {isDefault(policy) && <span class="badge">{fraud.isDefault}</span>}
          </>,
          policy.rules.length,
          hasFirewall(policy) ? fraud.firewallOn : fraud.firewallOff,
          policy.version,
        ],
      }))}
    />
  )
}

interface CreateProps {
  readonly errors: FormErrors
}

export function CreatePolicy({ errors }: CreateProps) {
  const { base, texts, call } = useRequest()
  const error = errors.of('name')
  return (
    <Card title={texts.fraud.create} class="form-card">
      <Form action={`${base}/fraud`}>
        <Field
          id="name"
          name="name"
          label={texts.fraud.name}
          value={call.form.get('name') ?? ''}
          maxLength={200}
          required
          {...(error ? { error } : {})}
        />
        <div class="buttons">
          <Button>{texts.fraud.create}</Button>
        </div>
      </Form>
    </Card>
  )
}

/** For people who may look but not change. */
export function PolicyText({ policy }: { readonly policy: Policy }) {
  const request = useRequest()
  const { fraud } = request.texts
  const { firewall, rules } = policy
  const lists = ['allowedCountries', 'blockedCountries', 'allowedAddresses', 'blockedAddresses'] as const
  return (
    <>
      <Card title={fraud.rules}>
        {rules.length === 0 && <p class="muted">{request.texts.frame.none}</p>}
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
            ...lists.map((name) => [fraud[name], shortText(firewall[name].join(' '), 200) ?? '–'] as const),
            [fraud.maxRiskScore, firewall.maxRiskScore ?? '–'],
            [
              fraud.matchCardCountry,
              firewall.matchCardCountry ? request.texts.frame.yes : request.texts.frame.no,
            ],
            [fraud.whenUnavailable, firewall.whenUnavailable === 'Accept' ? fraud.accept : fraud.reject],
          ]}
        />
      </Card>
    </>
  )
}

interface VersionsProps {
  /** Newest first. */
  readonly versions: readonly PolicyVersion[]
}

export function VersionTable({ versions }: VersionsProps) {
  const request = useRequest()
  const { fraud } = request.texts
  return (
    <Table
      caption={fraud.versions}
      columns={[
        { label: fraud.version, end: true },
        { label: fraud.time },
        { label: fraud.who },
        { label: fraud.change },
      ]}
      rows={versions.map((version, place) => ({
        cells: [
          version.version,
          <Time time={version.changedTime} style="second" />,
          <bdi>{shortText(version.changedName ?? undefined, NAME_SHOWN) ?? fraud.unknownAuthor}</bdi>,
          <VersionChanges version={version} before={versions[place + 1]} />,
        ],
      }))}
    />
  )
}

interface VersionChangesProps {
  readonly version: PolicyVersion
  readonly before: PolicyVersion | undefined
}

function VersionChanges({ version, before }: VersionChangesProps) {
  const request = useRequest()
  const { fraud } = request.texts
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
