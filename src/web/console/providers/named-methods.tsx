import type { Profile } from '../../../merchants/app.ts'
import {
  type MethodAtProfile,
  methodsAtProfile,
  withAccountMethods,
} from '../../../merchants/profiles/methods.ts'
import { isMethodId } from '../../../providers/methods/method.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { ActButton } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { List } from '../../kit/list.tsx'
import { MethodList, useProfile } from './profile.tsx'

interface NamedMethodsProps {
  readonly methods: readonly MethodAtProfile[]
  readonly readTime: Date | null
}

/** The provider is asked only about methods that the profile offers by name, or that were read before. */
export async function namedMethodsOf(request: AppRequest, profile: Profile): Promise<NamedMethodsProps> {
  const { ctx, app } = request
  const isAsked = profile.accountMethodsTime !== null || profile.methods.some(isMethodId)
  const known = isAsked ? await withAccountMethods(ctx, app, profile) : profile
  return {
    methods: methodsAtProfile(ctx, known).filter(({ id }) => isMethodId(id)),
    readTime: known.accountMethodsTime,
  }
}

/** Each method by name with a switch, and whether the account at the provider has it turned on. */
export function NamedMethods({ methods, readTime }: NamedMethodsProps) {
  const { profile, path, providers } = useProfile()
  const { named } = providers
  if (methods.length === 0) return null
  return (
    <Card title={named.title}>
      <p class="muted small">{named.hint}</p>
      <Form action={`${path}/methods`}>
        <List
          caption={named.title}
          items={methods}
          columns={[
            { label: providers.methods, cell: ({ id }) => <MethodList methods={[id]} /> },
            { label: named.account, cell: (method) => <AccountPill method={method} /> },
            {
              label: named.checkout,
              cell: ({ id }) => {
                const isChosen = profile.methods.includes(id)
                const name = providers.methodNames[id]
                if (isChosen && profile.methods.length === 1) return named.only
                return isChosen ? (
                  <ActButton act={`remove:${id}`} text={providers.remove({ name })} />
                ) : (
                  <ActButton act={`add:${id}`} text={providers.addMethod({ name })} />
                )
              },
            },
          ]}
        />
      </Form>
      {readTime && (
        <p class="muted small">
          {named.read} <Time time={readTime} />
        </p>
      )}
    </Card>
  )
}

function AccountPill({ method: { isEnabledAtProvider } }: { readonly method: MethodAtProfile }) {
  const { named } = useProfile().providers
  if (isEnabledAtProvider === null) return <span class="muted">{named.unknown}</span>
  return isEnabledAtProvider ? (
    <span class="pill green">{named.on}</span>
  ) : (
    <span class="pill amber">{named.off}</span>
  )
}
