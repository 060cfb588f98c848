import type { App } from '../../merchants/app.ts'
import type { Policy, Rule } from '../policy.ts'
import type { PolicyVersion, StoredPolicy } from './store.ts'

const ruleView = ({ profiles, ...rule }: Rule) => ({ ...rule, paymentProfiles: profiles })

const contentView = ({ name, rules, firewall }: Policy) => ({ name, rules: rules.map(ruleView), firewall })

export const policyView = (app: App, policy: StoredPolicy) => ({
  fraudPolicyId: policy.policyId,
  isDefault: app.defaultFraudPolicyId === policy.policyId,
  version: policy.version,
  ...contentView(policy),
  createdTime: policy.createdTime.toISOString(),
})

export const versionView = (version: PolicyVersion) => ({
  version: version.version,
  change: version.change,
  changedTime: version.changedTime.toISOString(),
  changedBy:
    version.changedBy === null && version.changedName === null
      ? null
      : { keyId: version.changedBy, name: version.changedName },
  ...contentView(version),
})
