import { invalid } from '../../../base/errors.ts'
import { createCheck } from '../../../http/validate.ts'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import { explainRouting } from '../../../routing/commands.ts'
import { ExplainInput, readRoutingFacts } from '../../../routing/schema.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { fieldError, type FormErrors, NO_ERRORS, readRefusal } from '../../kit/refusal.ts'
import { obstacleText, ruleProfileName, rankReasonText } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'
import { methodKindName } from '../../kit/format/names.ts'

const check = createCheck(ExplainInput)
type Explained = ReturnType<typeof explainRouting>

/** What the address asks: the explanation, or why it cannot be given. */
function explainedBy(request: AppRequest): { result?: Explained; errors: FormErrors } {
  const { ctx, app, call } = request
  const { currency, amount, method, country, brand, capture } = call.query
  if (currency === undefined) return { errors: NO_ERRORS }
  const given = Object.entries({ amount, method, country, brand }).filter(([, value]) => value)
  const input = { currency, ...Object.fromEntries(given) }
  try {
    const problems = check(input)
    if (problems.length > 0) throw invalid(problems)
    const facts = readRoutingFacts(input)
    const methods = method ? [method] : undefined
    return {
      result: explainRouting(ctx, app, { ...facts, methods, autoCapture: capture !== 'later' }),
      errors: NO_ERRORS,
    }
  } catch (error) {
    return { errors: readRefusal(request, error) }
  }
}

interface TryProps {
  readonly currencies: readonly string[]
}

export function TryPayment({ currencies }: TryProps) {
  const request = useRequest()
  const { routing } = request.texts
  const { result, errors } = explainedBy(request)
  return (
    <Card title={routing.tryTitle} id="try">
      <p class="muted small">{routing.tryBody}</p>
      <TryForm currencies={currencies} errors={errors} />
      {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
      {result && <Explanation result={result} />}
    </Card>
  )
}

function TryForm({ currencies, errors }: TryProps & { readonly errors: FormErrors }) {
  const request = useRequest()
  const { base, texts, call } = request
  const { routing } = texts
  const field = (name: string, label: string, hint?: string) => {
    const error = fieldError(label, errors.of(name))
    const more = { ...(hint ? { hint } : {}), ...(error ? { error } : {}) }
    const value = (call.query[name] ?? '').slice(0, 60)
    return <Field id={`try-${name}`} name={name} label={label} value={value} maxLength={60} {...more} />
  }
  const methods = METHOD_KINDS.map((kind) => ({ value: kind, label: methodKindName(request, kind) }))
  return (
    <form class="try-form" method="get" action={`${base}/routing#try`}>
      <Select
        id="try-currency"
        name="currency"
        label={routing.currency}
        options={currencies.map((code) => ({ value: code, label: code }))}
        value={call.query.currency ?? request.app.profiles[0]?.currency ?? ''}
        error={fieldError(routing.currency, errors.of('currency'))}
      />
      {field('amount', routing.amount)}
      <Select
        id="try-method"
        name="method"
        label={routing.method}
        options={[{ value: '', label: routing.anyMethod }, ...methods]}
        value={call.query.method ?? ''}
        error={fieldError(routing.method, errors.of('method'))}
      />
      {field('country', routing.country, routing.countryHint)}
      {field('brand', routing.brand, routing.brandHint)}
      <Select
        id="try-capture"
        name="capture"
        label={routing.capture}
        options={[
          { value: 'now', label: routing.captureNow },
          { value: 'later', label: routing.captureLater },
        ]}
        value={call.query.capture ?? ''}
      />
      <div class="buttons">
        <Button kind="quiet">{routing.tryButton}</Button>
      </div>
    </form>
  )
}

function Explanation({ result }: { readonly result: Explained }) {
  const request = useRequest()
  const { routing } = request.texts
  const { profiles, excluded } = result
  return (
    <div class="explanation" role="status">
      {profiles.length === 0 && <p class="notice-title">{routing.noOne}</p>}
      <ol class="reasons">
        {profiles.map(({ paymentProfileId, method, reasons }, place) => {
          const say = place === 0 ? routing.first : routing.afterwards
          const name = ruleProfileName(request, paymentProfileId)
          return (
            <li>
              <bdi>{say(name, methodKindName(request, method))}</bdi>{' '}
              <span>{`${reasons.map((reason) => rankReasonText(request, reason)).join('; ')}.`}</span>
            </li>
          )
        })}
      </ol>
      {excluded.length > 0 && (
        <details>
          <summary>{routing.excluded}</summary>
          <ul class="reasons">
            {excluded.map(({ paymentProfileId, method, reason }) => {
              const name = ruleProfileName(request, paymentProfileId)
              return (
                <li>
                  <bdi>{routing.cannot(name, methodKindName(request, method))}</bdi>{' '}
                  <span>{`${obstacleText(request, reason)}.`}</span>
                </li>
              )
            })}
          </ul>
        </details>
      )}
    </div>
  )
}
