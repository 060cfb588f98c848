import { type FieldError, invalid } from '../../../base/errors.ts'
import type { Profile, ProfileFees } from '../../../merchants/app.ts'
import { Button, Field } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { fieldError, type FormErrors } from '../../kit/refusal.ts'
import { Form } from '../../kit/html/forms.tsx'
import { profilePath } from './setup.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** The fees of the merchant's contracts, with which the API previews the cost of a payment. */

const NAMES = [
  ...(['providerInitialFee', 'providerPercentageFee', 'appInitialFee', 'appPercentageFee'] as const),
]
const NUMBER = /^\d{1,9}(?:\.\d{1,4})?$/
const MOST_PERCENT = 100

interface FeesProps {
  readonly profile: Profile
  readonly errors: FormErrors
}

export function FeesCard({ profile, errors }: FeesProps) {
  const request = useRequest()
  const { texts, call } = request
  const { providers, frame } = texts
  return (
    <Card title={providers.feesTitle}>
      <p class="muted small">{providers.feesHint}</p>
      <Form action={`${profilePath(request, profile)}/fees`}>
        {NAMES.map((name) => {
          const label = providers.feeNames[name](profile.currency)
          const error = fieldError(label, errors.of(name))
          return (
            <Field
              id={name}
              name={name}
              label={label}
              value={call.form.get(name) ?? String(profile.fees?.[name] ?? '')}
              maxLength={14}
              numeric
              {...(error ? { error } : {})}
            />
          )
        })}
        <div class="buttons">
          <Button>{frame.save}</Button>
        </div>
      </Form>
    </Card>
  )
}

/** An empty field clears its fee. */
export function readFees({ call, texts }: AppRequest): ProfileFees {
  const errors: FieldError[] = []
  const fees = NAMES.map((name) => {
    const text = (call.form.get(name) ?? '').trim().replace(',', '.')
    const isWrong = text !== '' && (!NUMBER.test(text) || (isShare(name) && Number(text) > MOST_PERCENT))
    if (isWrong) errors.push({ field: name, message: texts.providers.feeWrong })
    return [name, text === '' ? null : Number(text)]
  })
  if (errors.length > 0) throw invalid(errors)
  return Object.fromEntries(fees)
}

const isShare = (name: string): boolean => name.endsWith('PercentageFee')
