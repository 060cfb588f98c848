import { notFound } from '../../../base/errors.ts'
import { OWN_ROLE_PERMISSIONS } from '../../../people/access/roles.ts'
import {
  changeOwnRole,
  createOwnRole,
  listOwnRoles,
  removeOwnRole,
} from '../../../people/members/own-roles.ts'
import { Fields, type FormField, text, ticks } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { proof, type ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'

/** Roles that the merchant makes from the table of permissions. */

type StoredRole = Awaited<ReturnType<typeof listOwnRoles>>[number]

const PERMISSIONS_PAGE = '/team/permissions'
const ROLE = '/team/roles/{roleId}'

const FIELDS: readonly FormField[] = [
  text('name', { required: true, maxLength: 40 }),
  ticks(
    'permissions',
    ({ texts }) => OWN_ROLE_PERMISSIONS.map((value) => ({ value, label: texts.team.permissions[value] })),
    OWN_ROLE_PERMISSIONS,
  ),
]

/** What was posted, while a refused form is shown again; otherwise the role as it is. */
const valuesOf = ({ call }: AppRequest, role?: StoredRole) =>
  Object.fromEntries(
    FIELDS.map(({ name, posted }) => [
      name,
      call.isPost ? posted(call) : (role?.[name as 'name' | 'permissions'] ?? ''),
    ]),
  )

const postedRole = (request: AppRequest) => valuesOf(request) as unknown as Omit<StoredRole, 'roleId'>

async function fieldsOf(request: AppRequest, role: StoredRole | undefined, errors: FormErrors) {
  const choices = { permissions: (await FIELDS[1]?.choices?.(request, '')) ?? [] }
  const values = valuesOf(request, role)
  return <Fields fields={FIELDS} texts={request.texts.team.roleFields} {...{ values, errors, choices }} />
}

async function roleOf({ ctx, app, call }: AppRequest): Promise<StoredRole> {
  const roles = await listOwnRoles(ctx, app.licenseId)
  const role = roles.find(({ roleId }) => roleId === call.params.roleId)
  if (!role) throw notFound('The role')
  return role
}

const crumbs = ({ base, texts }: AppRequest) => [
  { label: texts.team.tabs.permissions, href: base + PERMISSIONS_PAGE },
]

export const ownRoleRoutes: readonly ScreenRoute[] = [
  ...question('/team/roles/new', proof('RoleWrite'), {
    back: PERMISSIONS_PAGE,
    crumbs,
    texts: ({ team }) => ({ title: team.newRole, body: team.ownRoleIntro, button: team.createRole }),
    fields: (request, _, errors) => fieldsOf(request, undefined, errors),
    run: async (request) => {
      await createOwnRole(request.ctx, request.app.licenseId, postedRole(request))
      return 'role-created'
    },
  }),
  ...question(ROLE, proof('RoleWrite'), {
    back: PERMISSIONS_PAGE,
    crumbs,
    subject: roleOf,
    texts: ({ team }, { name }) => ({
      title: team.changeRoleTitle({ name }),
      body: team.ownRoleIntro,
      button: team.saveRole,
    }),
    fields: fieldsOf,
    run: async (request, { roleId }) => {
      await changeOwnRole(request.ctx, request.app.licenseId, { ...postedRole(request), roleId })
      return 'role-saved'
    },
  }),
  ...question(`${ROLE}/remove`, proof('RoleWrite'), {
    kind: 'danger',
    back: PERMISSIONS_PAGE,
    crumbs,
    subject: roleOf,
    texts: ({ team }, { name }) => ({
      title: team.removeRoleTitle({ name }),
      body: team.removeRoleBody,
      button: team.removeRole,
    }),
    run: async ({ ctx, app }, { roleId }) => {
      await removeOwnRole(ctx, app.licenseId, roleId)
      return 'role-removed'
    },
  }),
]

/** Below the table of permissions. */
export function OwnRoles({ roles }: { readonly roles: readonly StoredRole[] }) {
  const { base, can, texts } = useRequest()
  const { team, frame } = texts
  const mayWrite = can('RoleWrite')
  return (
    <>
      <h2>{team.ownRoles}</h2>
      {roles.length === 0 && <p class="muted">{team.noOwnRoles}</p>}
      {roles.length > 0 && (
        <List
          caption={team.ownRoles}
          isStacked
          items={roles}
          columns={[
            { label: team.role, cell: ({ name }) => <bdi>{name}</bdi> },
            {
              label: team.permission,
              cell: ({ permissions }) => permissions.map((one) => team.permissions[one]).join(', '),
            },
            {
              label: frame.more,
              isQuiet: true,
              cell: ({ roleId, name }) =>
                mayWrite && (
                  <div class="buttons">
                    <QuestionButton
                      href={`${base}/team/roles/${roleId}`}
                      label={team.changeOwnRoleLabel({ name })}
                    >
                      {team.changeOwnRole}
                    </QuestionButton>
                    <QuestionButton
                      href={`${base}/team/roles/${roleId}/remove`}
                      label={team.removeRoleLabel({ name })}
                    >
                      {team.removeRole}
                    </QuestionButton>
                  </div>
                ),
            },
          ]}
        />
      )}
    </>
  )
}
