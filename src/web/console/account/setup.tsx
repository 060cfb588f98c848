import { CURRENCIES } from '../../../base/currencies.ts'
import type { ApiError } from '../../../base/errors.ts'
import { isTimeZone } from '../../../base/time/zone.ts'
import { zoneChoices } from '../../../base/time/zone-names.ts'
import { hasLicense } from '../../../merchants/licenses/commands.ts'
import { createOwner, isSetupOpen, opensSetup } from '../../../people/accounts/setup.ts'
import { sessionCookie } from '../../../people/cookie.ts'
import type { OpenRequest } from '../../kit/frame/request.ts'
import { seenZone } from '../../kit/frame/serve.ts'
import { renderPlain } from '../../kit/frame/shell.tsx'
import { Button, Field, Hidden, Select } from '../../kit/html/controls.tsx'
import { errorsByField, refused, retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { clientOf } from './client.ts'
import { EmailField, NameField, NewPassword } from './fields.tsx'

/** The first start: creates the owner. It is open while there are no people. */
export async function showSetup(request: OpenRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, call, texts } = request
  const { account } = texts
  if (!(await isSetupOpen(ctx))) return seeOther('/console/sign-in')
  const posted = (name: string) => call.form.get(name) ?? ''
  const token = call.form.get('token') ?? call.query.token ?? ''
  const { production, operatorToken } = ctx.config
  if (production && operatorToken === undefined)
    return renderPlain(request, {
      name: 'setup',
      title: account.setupWrong,
      status: 403,
      children: <p>{account.setupNoToken}</p>,
    })
  // In production the form asks for the operator token: an address stays in histories and access logs.
  const asks = production || !opensSetup(ctx, token)
  const isWrong = asks && !production && token !== '' && !problem
  const errors = errorsByField(problem)
  return renderPlain(request, {
    name: 'setup',
    title: account.setupTitle,
    ...(isWrong
      ? { status: 403, flash: { kind: 'bad' as const, text: account.setupTokenWrong } }
      : refused(request, problem)),
    children: (
      <form
        method="post"
        action="/console/setup"
        class="stack card"
        data-own-zone={call.isPost ? undefined : 'yes'}
      >
        <p>{account.setupIntro}</p>
        {asks ? (
          // Never filled in: the page must not contain the token.
          <Field
            id="token"
            name="token"
            type="password"
            label={production ? account.operatorToken : account.setupToken}
            hint={production ? account.operatorTokenHint : account.setupTokenHint}
            autoComplete="off"
            required
            ltr
          />
        ) : (
          <Hidden values={{ token }} />
        )}
        <BusinessFields request={request} isNew={!(await hasLicense(ctx))} problem={problem} />
        <NameField value={posted('name')} {...errors.for('name')} />
        <EmailField value={posted('email')} {...errors.for('email')} />
        <NewPassword label={account.password} {...errors.for('password')} />
        <Button>{account.createAccount}</Button>
      </form>
    ),
  })
}

const CURRENCY_OF: Readonly<Record<string, readonly string[]>> = {
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
  ...{ GBP: ['GB'], CHF: ['CH', 'LI'], SEK: ['SE'], NOK: ['NO'], DKK: ['DK'], PLN: ['PL'], CZK: ['CZ'] },
  ...{ HUF: ['HU'], RON: ['RO'], TRY: ['TR'], CAD: ['CA'], AUD: ['AU'], NZD: ['NZ'], JPY: ['JP'] },
  ...{ INR: ['IN'], BRL: ['BR'], MXN: ['MX'], ZAR: ['ZA'], SGD: ['SG'], HKD: ['HK'], AED: ['AE'] },
  ILS: ['IL'],
}

/** The currency where the first language of the browser is spoken: `de-CH`, and `de` as in Germany. */
function homeCurrency(acceptLanguage = ''): string {
  const [first = ''] = acceptLanguage.split(/[,;]/)
  let region: string | undefined
  try {
    region = new Intl.Locale(first.trim()).maximize().region
  } catch {
    // The header is what a client writes.
  }
  const found = Object.entries(CURRENCY_OF).find(([, regions]) => region && regions.includes(region))
  return found?.[0] ?? 'USD'
}

interface BusinessFieldsProps {
  readonly request: OpenRequest
  /** Whether there is no licence yet. */
  readonly isNew: boolean
  readonly problem: ApiError | undefined
}

/** The name that payers see, the zone of the browser if it is known, and the currency of the sandbox. */
function BusinessFields({ request, isNew, problem }: BusinessFieldsProps) {
  const { call, texts } = request
  const { account } = texts
  const errors = errorsByField(problem)
  const posted = (name: string) => call.form.get(name) ?? undefined
  const zone = posted('timeZone') ?? seenZone(call) ?? 'UTC'
  return (
    <>
      <Field
        id="license"
        name="licenseName"
        label={account.licenseName}
        hint={account.licenseNameHint}
        value={posted('licenseName') ?? ''}
        required={isNew}
      />
      <Select
        id="timeZone"
        name="timeZone"
        label={account.timeZone}
        hint={account.timeZoneHint}
        value={zone}
        options={zoneChoices(isTimeZone(zone) ? zone : 'UTC')}
        {...errors.for('timeZone')}
      />
      <Select
        id="currency"
        name="currency"
        label={account.currency}
        hint={account.currencyHint}
        value={posted('currency') ?? homeCurrency(call.acceptLanguage)}
        options={[...CURRENCIES.keys()].sort().map((value) => ({ value, label: value }))}
        {...errors.for('currency')}
      />
    </>
  )
}

export function postSetup(request: OpenRequest): Promise<PageAnswer> {
  const { ctx, call } = request
  const field = (name: string) => call.form.get(name) ?? ''
  return retryForm(
    async () => {
      const owner = {
        token: field('token'),
        email: field('email'),
        name: field('name') || (field('email').split('@')[0] ?? ''),
        password: field('password'),
        licenseName: field('licenseName'),
        timeZone: field('timeZone'),
        currency: field('currency'),
      }
      const { sessionToken } = await createOwner(ctx, owner, clientOf(call))
      return { location: '/console/home', headers: { 'set-cookie': sessionCookie(ctx, sessionToken) } }
    },
    (problem) => showSetup(request, problem),
    ['forbidden', 'not_found'],
  )
}
