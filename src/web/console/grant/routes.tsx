import { ApiError } from '../../../base/errors.ts'
import { licenseName } from '../../../merchants/licenses/commands.ts'
import { grantCode } from '../../../merchants/licenses/grants.ts'
import { may } from '../../../people/signed-in.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import { Button, Hidden, Select } from '../../kit/html/controls.tsx'
import { refusalText, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { person, type ScreenRoute } from '../../kit/route.ts'
import { type ReturnUrl, readReturnUrl, withParameters } from './return-url.ts'

const PATH = '/auth/signin'

/** The address that plugins of shops open to be connected. */
export const grantScreens = (): ScreenRoute[] => [
  person('GET', '/signin', show, { root: '/auth', proof: true, onlyWith: 'grantAuthorization' }),
  person('POST', '/signin', answer, { root: '/auth', proof: true }),
]

const returnText = ({ call }: PersonRequest): string =>
  call.form.get('returnUrl') ?? call.query.returnUrl ?? ''

/** The page and its form have one address, to which a proof leads back. */
const consentPage = (returnUrl: string): string =>
  `${PATH}?${new URLSearchParams({ returnUrl, grantAuthorization: 'true' })}`

/** The licences that the person may connect a shop to. */
async function ownLicenses({ ctx, person }: PersonRequest) {
  const allowed = person.memberships.filter(({ licenseId }) => may(person, licenseId, 'LicenseManagement'))
  return Promise.all(
    allowed.map(async ({ licenseId }) => ({
      value: licenseId,
      label: (await licenseName(ctx, licenseId)) ?? licenseId,
    })),
  )
}

function show(request: PersonRequest): PageAnswer | Promise<PageAnswer> {
  if (request.call.query.grantAuthorization !== 'true') return seeOther('/console')
  const url = readReturnUrl(returnText(request))
  if (!url) return wrongUrl(request)
  return ask(request, url)
}

const wrongUrl = (request: PersonRequest): PageAnswer =>
  renderPlain(request, {
    name: 'grant',
    title: request.texts.account.grantWrong,
    status: 400,
    children: <p>{request.texts.account.grantWrongBody}</p>,
  })

async function ask(request: PersonRequest, url: ReturnUrl, problem?: ApiError): Promise<PageAnswer> {
  const { account } = request.texts
  const licenses = await ownLicenses(request)
  return renderPlain(request, {
    name: 'grant',
    title: account.grantTitle,
    status: problem?.status ?? (licenses.length > 0 ? 200 : 403),
    flash: problem ? { kind: 'bad', text: refusalText(request, problem) } : undefined,
    formOrigins: url.origins,
    children: (
      <form method="post" action={consentPage(url.text)} class="stack card">
        <Hidden values={{ form: request.formId, returnUrl: url.text }} />
        <p>
          <bdi class="requester">{url.host}</bdi> {account.grantAsks}
        </p>
        <ul class="grants">
          {Object.values(account.grantList).map((line) => (
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
function answer(request: PersonRequest): PageAnswer | Promise<PageAnswer> {
  const url = readReturnUrl(returnText(request))
  if (!url) return wrongUrl(request)
  if (request.call.form.get('decision') !== 'grant') return seeOther(url.text)
  return grant(request, url)
}

function grant(request: PersonRequest, url: ReturnUrl): Promise<PageAnswer> {
  const { ctx, call, person } = request
  const licenseId = call.form.get('licenseId') ?? ''
  return retryForm(
    async () => {
      if (!may(person, licenseId, 'LicenseManagement'))
        throw new ApiError('forbidden', 'Your role does not allow this.')
      const authorizationCode = await grantCode(ctx, licenseId, url.host)
      return seeOther(withParameters(url.text, { licenseId, authorizationCode }))
    },
    (problem) => ask(request, url, problem),
    ['forbidden'],
  )
}
