import Type from 'typebox'
import { assert } from '../../base/assert.ts'
import { notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { IdInput, readId } from '../../http/wire.ts'
import type { App } from '../../merchants/app.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../../merchants/app-route.ts'
import { loadApp } from '../../merchants/directory.ts'
import type { Policy, Rule } from '../policy.ts'
import {
  changePolicy,
  createPolicy,
  getPolicy,
  type PolicyChanges,
  policyPage,
  removePolicy,
  versionPage,
} from './commands.ts'
import { MethodRuleAnswer, methodRuleView } from './method-rules.ts'
import {
  PolicyAnswer,
  PolicyInput,
  PolicyPageQuery,
  PolicyParams,
  PolicyPatch,
  RulesInput,
  readFirewall,
  readRules,
  VersionAnswer,
  VersionPageQuery,
} from './schema.ts'
import type { PolicyVersion, StoredPolicy } from './store.ts'

const TAG = 'Fraud policies'
const BASE = '/fraud-policies'

const EXAMPLE = {
  name: 'Card testing',
  isDefault: true,
  rules: [
    { action: 'RejectPayment', measure: 'PaymentCount', period: 'Daily', threshold: 5 },
    { action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 70 },
  ],
  firewall: { blockedCountries: ['KP'] },
}

export const policyRoutes = (ctx: Context): Route[] => [
  ...readingRoutes(ctx),
  ...writingRoutes(ctx),
  ...deletingRoutes(ctx),
]

/** Reloads the app: the change may have set or cleared its default policy. */
async function shown(ctx: Context, { appId }: App, policy: StoredPolicy) {
  const app = await loadApp(ctx, appId)
  assert(app, 'an app is never deleted')
  return policyView(app, policy)
}

function wantedId(text: string): number {
  const id = readId(text)
  if (id === undefined) throw notFound('The fraud policy')
  return id
}

type Body = { readonly isDefault?: boolean | null; readonly rules?: unknown; readonly firewall?: unknown }

function changesOf(app: App, body: Body & { readonly name?: string | null }): PolicyChanges {
  const { name, isDefault, rules, firewall } = body
  return {
    ...(name ? { name } : {}),
    ...(typeof isDefault === 'boolean' ? { isDefault } : {}),
    ...(rules ? { rules: readRules(app, rules as Parameters<typeof readRules>[1]) } : {}),
    ...(firewall ? { firewall: readFirewall(firewall as Parameters<typeof readFirewall>[0]) } : {}),
  }
}

function readingRoutes(ctx: Context): Route[] {
  const reading = { method: 'GET', tag: TAG, status: 200 } as const
  return [
    appRoute({
      ...reading,
      path: BASE,
      summary: 'List the fraud policies of the app',
      list: true,
      query: PolicyPageQuery,
      response: Type.Array(PolicyAnswer),
      responseHeaders: LINK_HEADER,
      handler: async (app, { query, reply }) => {
        const { items, hasNext } = await policyPage(ctx, app, readId(query.after ?? '') ?? 0)
        const after = String(items.at(-1)?.policyId)
        if (hasNext) reply.header('link', nextPageLink(ctx, app, 'fraud-policies', { after }))
        return items.map((policy) => policyView(app, policy))
      },
    }),
    appRoute({
      ...reading,
      path: `${BASE}/payment-method-policy-rule-metadata`,
      summary: 'How customers can add a method, by kind of method',
      description: 'Each profile that stores methods, with how a new method is verified.',
      response: Type.Array(MethodRuleAnswer),
      handler: (app) => methodRuleView(ctx, app),
    }),
    appRoute({
      ...reading,
      path: `${BASE}/{fraudPolicyId}`,
      summary: 'Read a fraud policy',
      params: PolicyParams,
      response: PolicyAnswer,
      errors: ['not_found'],
      handler: async (app, { params }) =>
        policyView(app, await getPolicy(ctx, app, wantedId(params.fraudPolicyId))),
    }),
    appRoute({
      ...reading,
      path: `${BASE}/{fraudPolicyId}/versions`,
      summary: 'Every version of a fraud policy, newest first, with who changed it and when',
      params: PolicyParams,
      list: true,
      query: VersionPageQuery,
      response: Type.Array(VersionAnswer),
      responseHeaders: LINK_HEADER,
      errors: ['not_found'],
      handler: async (app, { params, query, reply }) => {
        const policyId = wantedId(params.fraudPolicyId)
        const { items, hasNext } = await versionPage(ctx, app, policyId, readId(query.before ?? ''))
        const path = `fraud-policies/${policyId}/versions`
        const before = String(items.at(-1)?.version)
        if (hasNext) reply.header('link', nextPageLink(ctx, app, path, { before }))
        return items.map(versionView)
      },
    }),
  ]
}

function writingRoutes(ctx: Context): Route[] {
  const writing = { tag: TAG, status: 200, params: PolicyParams, errors: ['not_found'] } as const
  return [
    appRoute({
      method: 'POST',
      path: BASE,
      summary: 'Create a fraud policy',
      tag: TAG,
      status: 201,
      body: PolicyInput,
      response: PolicyAnswer,
      examples: { body: EXAMPLE },
      handler: async (app, { body, keyId, actor }) => {
        const changes = { ...changesOf(app, body), name: body.name }
        return shown(ctx, app, await createPolicy(acting(ctx, actor), app, changes, keyId))
      },
    }),
    appRoute({
      ...writing,
      method: 'PATCH',
      path: `${BASE}/{fraudPolicyId}`,
      summary: 'Change a fraud policy',
      body: PolicyPatch,
      response: PolicyAnswer,
      examples: { body: { isDefault: true } },
      handler: async (app, { params, body, keyId, actor }) => {
        const policyId = wantedId(params.fraudPolicyId)
        return shown(
          ctx,
          app,
          await changePolicy(acting(ctx, actor), app, changesOf(app, body), { policyId, keyId }),
        )
      },
    }),
    appRoute({
      ...writing,
      method: 'PATCH',
      path: `${BASE}/{fraudPolicyId}/rules`,
      summary: 'Replace the rules of a fraud policy',
      description: 'The body is the whole list.',
      body: RulesInput,
      response: PolicyAnswer,
      examples: { body: EXAMPLE.rules },
      handler: async (app, { params, body, keyId, actor }) => {
        const policyId = wantedId(params.fraudPolicyId)
        const rules = readRules(app, body, 'body')
        return shown(ctx, app, await changePolicy(acting(ctx, actor), app, { rules }, { policyId, keyId }))
      },
    }),
  ]
}

function deletingRoutes(ctx: Context): Route[] {
  const deleting = {
    method: 'DELETE',
    tag: TAG,
    status: 200,
    errors: ['not_found', 'fraud_policy_in_use'],
  } as const
  return [
    appRoute({
      ...deleting,
      params: PolicyParams,
      path: `${BASE}/{fraudPolicyId}`,
      summary: 'Delete a fraud policy; customers pinned to it fall back to the default',
      handler: (app, { params, keyId, actor }) =>
        removePolicy(acting(ctx, actor), app, { policyId: wantedId(params.fraudPolicyId), keyId }),
    }),
    appRoute({
      ...deleting,
      path: BASE,
      summary: 'Delete a fraud policy, named in the query',
      query: Type.Object({ fraudPolicyId: IdInput }),
      handler: (app, { query, keyId, actor }) =>
        removePolicy(acting(ctx, actor), app, { policyId: wantedId(String(query.fraudPolicyId)), keyId }),
    }),
  ]
}

const ruleView = ({ profiles, ...rule }: Rule) => ({ ...rule, paymentProfiles: profiles })

const contentView = ({ name, rules, firewall }: Policy) => ({ name, rules: rules.map(ruleView), firewall })

const policyView = (app: App, policy: StoredPolicy) => ({
  fraudPolicyId: policy.policyId,
  isDefault: app.defaultFraudPolicyId === policy.policyId,
  version: policy.version,
  ...contentView(policy),
  createdTime: policy.createdTime.toISOString(),
})

const versionView = (version: PolicyVersion) => ({
  version: version.version,
  change: version.change,
  changedTime: version.changedTime.toISOString(),
  changedBy:
    version.changedBy === null && version.changedName === null
      ? null
      : { keyId: version.changedBy, name: version.changedName },
  ...contentView(version),
})
