import { ApiError } from '../../../base/errors.ts'
import type { Route } from '../../../http/route.ts'
import { licenseName } from '../../../merchants/licenses/commands.ts'
import { grantCode } from '../../../merchants/licenses/grants.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Button, Hidden, Select } from '../../kit/html/controls.tsx'
import { may } from '../../../people/signed-in.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawPlain } from '../frame/shell.tsx'
import type { Visit } from '../frame/visit.ts'
import { type ReturnUrl, readReturnUrl, withParameters } from './return-url.ts'

const PATH = '/auth/signin'

/** The address that plugins of shops open to be connected. */
export const grantScreens = ({ person }: Screens): Route[] => [
  person('GET', '/signin', show, '/auth'),
  person('POST', '/signin', answer, '/auth'),
]

const returnText = ({ call }: Visit): string => call.form.get('returnUrl') ?? call.query.returnUrl ?? ''

/** The page and its form have one address, to which a proof leads back. */
const consentPage = (returnUrl: string): string =>
  `${PATH}?${new URLSearchParams({ returnUrl, grantAuthorization: 'true' })}`

/** The licences that the person may connect a shop to. */
async function ownLicenses({ ctx, person }: Visit) {
  const allowed = person.memberships.filter(({ licenseId }) => may(person, licenseId, 'LicenseManagement'))
  return Promise.all(
    allowed.map(async ({ licenseId }) => ({
      value: licenseId,
      label: (await licenseName(ctx, licenseId)) ?? licenseId,
    })),
  )
}

function show(visit: Visit): PageAnswer | Promise<PageAnswer> {
  if (visit.call.query.grantAuthorization !== 'true') return seeOther('/console')
  const url = readReturnUrl(returnText(visit))
  if (!url) return wrongUrl(visit)
  return ask(visit, url)
}

const wrongUrl = (visit: Visit): PageAnswer =>
  drawPlain(visit, {
    name: 'grant',
    title: visit.texts.account.grantWrong,
    status: 400,
    children: <p>{visit.texts.account.grantWrongBody}</p>,
  })

async function ask(visit: Visit, url: ReturnUrl, problem?: ApiError): Promise<PageAnswer> {
  const { account } = visit.texts
  const licenses = await ownLicenses(visit)
  return drawPlain(visit, {
    name: 'grant',
    title: account.grantTitle,
    status: problem?.status ?? (licenses.length > 0 ? 200 : 403),
    flash: problem ? { kind: 'bad', text: problem.message } : undefined,
    formOrigins: url.origins,
    children: (
      <form method="post" action={consentPage(url.text)} class="stack card">
        <Hidden values={{ form: visit.formId, returnUrl: url.text }} />
        <p>
          <bdi class="requester">{url.host}</bdi> {account.grantAsks}
        </p>
        <ul class="grants">
          {account.grantList.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
        {licenses.length === 0 ? (
          <p>{account.grantForbidden}</p>
        ) : licenses.length === 1 ? (
          <p>
            {account.grantLicense}: <bdi>{licenses[0]?.label}</bdi>
            <Hidden values={{ licenseId: licenses[0]?.value ?? '' }} />
          </p>
        ) : (
          <Select id="license" name="licenseId" label={account.grantLicense} options={licenses} />
        )}
        <p class="muted small">{account.grantWarning}</p>
        <div class="buttons">
          {licenses.length > 0 && (
            <Button name="decision" value="grant">
              {account.grant}
            </Button>
          )}
          <Button name="decision" value="deny" kind="quiet">
            {account.deny}
          </Button>
        </div>
      </form>
    ),
  })
}

/** Leads to another site, only after a click on the page that names it: the form id proves it. */
function answer(visit: Visit): PageAnswer | Promise<PageAnswer> {
  const url = readReturnUrl(returnText(visit))
  if (!url) return wrongUrl(visit)
  if (visit.call.form.get('decision') !== 'grant') return seeOther(url.text)
  return grant(visit, url)
}

async function grant(visit: Visit, url: ReturnUrl): Promise<PageAnswer> {
  const { ctx, call, person } = visit
  const licenseId = call.form.get('licenseId') ?? ''
  try {
    if (!may(person, licenseId, 'LicenseManagement'))
      throw new ApiError('forbidden', 'Your role does not allow this.')
    const authorizationCode = await grantCode(ctx, licenseId, url.host)
    return seeOther(withParameters(url.text, { licenseId, authorizationCode }))
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return ask(visit, url, error)
    throw error
  }
}
