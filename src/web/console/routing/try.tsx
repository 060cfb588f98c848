import { CURRENCIES } from '../../../base/currencies.ts'
import type { ApiError } from '../../../base/errors.ts'
import { explainRouting } from '../../../routing/commands.ts'
import { ExplainInput, readRoutingFacts } from '../../../routing/schema.ts'
import { countryOptions } from '../../kit/countries.tsx'
import { checked, choice, codeOptions, Fields, text } from '../../kit/form.tsx'
import { methodKindName } from '../../kit/format/names.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { sentenceErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { methodOptions, obstacleText, rankReasonText, ruleProfileName } from './words.ts'

/** A payment that is tried: the explanation, or why it cannot be given. */
export interface Tried {
  readonly result?: ReturnType<typeof explainRouting> | undefined
  readonly problem?: ApiError
}

/** What the address asks. Throws 400 with the fields. */
export function explain({ ctx, app, call }: AppRequest): Tried {
  const { currency, amount, method, country, brand, capture } = call.query
  if (currency === undefined) return {}
  const given = Object.entries({ amount, method, country, brand }).filter(([, value]) => value)
  const facts = readRoutingFacts(checked(ExplainInput, { currency, ...Object.fromEntries(given) }))
  const methods = method ? [method] : undefined
  return { result: explainRouting(ctx, app, { ...facts, methods, autoCapture: capture !== 'later' }) }
}

const currencies = () => codeOptions([...CURRENCIES.keys()].sort())
const captures = ({ texts: { routing } }: AppRequest) => [
  { value: 'now', label: routing.captureNow },
  { value: 'later', label: routing.captureLater },
]

const anyCountry = (request: AppRequest) => countryOptions(request, request.texts.frame.country.none)

const MAX_TYPED = 60
const FIELDS = [
  choice('currency', currencies, { id: 'try-currency', canFail: true }),
  text('amount', { id: 'try-amount', maxLength: MAX_TYPED }),
  choice('method', methodOptions, { id: 'try-method', canFail: true }),
  choice('country', anyCountry, { id: 'try-country', canFail: true }),
  text('brand', { id: 'try-brand', maxLength: MAX_TYPED }),
  choice('capture', captures, { id: 'try-capture' }),
]

export function TryPayment({ result, problem }: Tried) {
  const request = useRequest()
  const { app, base, call, texts } = request
  const { routing } = texts
  const errors = sentenceErrors(request, problem)
  const typed = FIELDS.map(({ name }) => [name, (call.query[name] ?? '').slice(0, MAX_TYPED)])
  const usual = call.query.currency ?? app.profiles[0]?.currency ?? ''
  return (
    <Card title={routing.tryTitle} id="try">
      <p class="muted small">{routing.tryBody}</p>
      <form class="try-form" method="get" action={`${base}/routing#try`}>
        <Fields
          fields={FIELDS}
          texts={routing.fields}
          values={{ ...Object.fromEntries(typed), currency: usual }}
          errors={errors}
          choices={{
            currency: currencies(),
            method: methodOptions(request),
            country: anyCountry(request),
            capture: captures(request),
          }}
        />
        <div class="buttons">
          <Button kind="quiet">{routing.tryButton}</Button>
        </div>
      </form>
      {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
      {result && <Explanation {...result} />}
    </Card>
  )
}

const shareText = ({ language }: AppRequest, share: number): string =>
  new Intl.NumberFormat(language.intl, { style: 'percent', maximumFractionDigits: 1 }).format(share)

function Explanation({ profiles, excluded }: NonNullable<Tried['result']>) {
  const request = useRequest()
  const { routing } = request.texts
  const namesOf = ({ paymentProfileId, method }: { paymentProfileId: number; method: string }) => ({
    name: ruleProfileName(request, paymentProfileId),
    method: methodKindName(request, method),
  })
  return (
    <div class="explanation" role="status">
      {profiles.length === 0 && <p class="notice-title">{routing.noOne}</p>}
      <ol class="reasons">
        {profiles.map((profile, place) => (
          <li>
            <bdi>
              {profile.share === null
                ? (place === 0 ? routing.first : routing.afterwards)(namesOf(profile))
                : routing.firstShare({ ...namesOf(profile), share: shareText(request, profile.share) })}
            </bdi>{' '}
            <span>{`${profile.reasons.map((reason) => rankReasonText(request, reason)).join('; ')}.`}</span>
          </li>
        ))}
      </ol>
      {excluded.length > 0 && (
        <details>
          <summary>{routing.excluded}</summary>
          <ul class="reasons">
            {excluded.map((profile) => (
              <li>
                <bdi>{routing.cannot(namesOf(profile))}</bdi>{' '}
                <span>{`${obstacleText(request, profile.reason)}.`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
