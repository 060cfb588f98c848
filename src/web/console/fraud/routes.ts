import { LIMITS } from '../../../base/limits.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { editNew, showNew, showTemplates } from './choose.tsx'
import { createNamed, showList, showVersions } from './list.tsx'
import { changeDefault, deleteRoutes, edit, show } from './policy.tsx'

export function fraudScreens(): ScreenRoute[] {
  const one = '/fraud/{policyId}'
  return [
    app('GET', '/fraud', 'FraudPolicyRead', showList),
    app('POST', '/fraud', 'FraudPolicyWrite', createNamed),
    app('GET', '/fraud/choose', 'FraudPolicyWrite', showTemplates),
    app('GET', '/fraud/new', 'FraudPolicyWrite', showNew),
    app('POST', '/fraud/new', 'FraudPolicyWrite', editNew, { formBytes: LIMITS.bodyBytes }),
    app('GET', one, 'FraudPolicyRead', show),
    // Lists of up to 60,000 characters.
    app('POST', one, 'FraudPolicyWrite', edit, { formBytes: LIMITS.bodyBytes }),
    app('GET', `${one}/versions`, 'FraudPolicyRead', showVersions),
    app('POST', `${one}/default`, 'FraudPolicyWrite', changeDefault),
    ...deleteRoutes,
  ]
}
