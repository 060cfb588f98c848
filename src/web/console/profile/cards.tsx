import type { ApiError } from '../../../base/errors.ts'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { Person } from '../../../people/person.ts'
import { errorsByField } from '../../kit/refusal.ts'
import { AskButton, Form, GetButton } from '../../kit/html/forms.tsx'
import { CONSOLE_LANGUAGES } from '../../kit/texts/languages.ts'
import { usePersonRequest } from '../../kit/screen.tsx'

interface CardOf {
  readonly known: Person
  /** Why the form of this card was refused. */
  readonly problem: ApiError | undefined
}

/** UTC is not in the list of every version of the database. */
const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

export function YouCard({ known, problem }: CardOf) {
  const request = usePersonRequest()
  const { profile } = request.texts
  const wrong = errorsByField(problem)
  const kept = (name: string, value: string | null) => request.call.form.get(name) ?? value ?? ''
  return (
    <Card title={profile.you}>
      <Form action="/console/profile">
        <OwnAddress known={known} />
        <Field
          id="name"
          name="name"
          label={profile.name}
          autoComplete="name"
          value={kept('name', known.name)}
          required
          {...wrong.for('name')}
        />
        <Select
          id="theme"
          name="theme"
          label={profile.theme}
          value={known.theme ?? ''}
          options={[
            { value: '', label: profile.themes.system },
            { value: 'light', label: profile.themes.light },
            { value: 'dark', label: profile.themes.dark },
          ]}
        />
        <Select
          id="language"
          name="language"
          label={profile.language}
          value={known.language ?? ''}
          options={[
            { value: '', label: profile.browserLanguage },
            ...CONSOLE_LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name })),
          ]}
        />
        <Select
          id="time-zone"
          name="timeZone"
          label={profile.timeZone}
          value={known.timeZone ?? 'UTC'}
          options={TIME_ZONES.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
        <label class="check" for="shortcuts">
          <input type="checkbox" id="shortcuts" name="shortcuts" value="yes" checked={known.hasShortcuts} />
          <span>{profile.shortcuts}</span>
        </label>
        <div class="buttons">
          <Button>{profile.save}</Button>
        </div>
      </Form>
    </Card>
  )
}

function OwnAddress({ known }: Pick<CardOf, 'known'>) {
  const { profile } = usePersonRequest().texts
  return (
    <>
      <p class="muted">
        <bdi>{known.email}</bdi>
        {!known.isVerified && <span class="pill amber not-verified">{profile.notVerified}</span>}
      </p>
      {!known.isVerified && <p class="small muted">{profile.notVerifiedBody}</p>}
    </>
  )
}

export function PasswordCard({ known, problem }: CardOf) {
  const request = usePersonRequest()
  const { profile } = request.texts
  const wrong = errorsByField(problem)
  return (
    <Card title={profile.password}>
      <Form action="/console/profile/password">
        {known.hasPassword ? (
          <Field
            id="current"
            name="current"
            type="password"
            label={profile.current}
            autoComplete="current-password"
            required
            ltr
            {...wrong.for('code')}
          />
        ) : (
          <p class="muted">{profile.noPassword}</p>
        )}
        <Field
          id="new-password"
          name="password"
          type="password"
          label={profile.newPassword}
          hint={profile.newPasswordHint}
          autoComplete="new-password"
          required
          ltr
          {...wrong.for('password')}
        />
        <div class="buttons">
          <Button>{known.hasPassword ? profile.changePassword : profile.setPassword}</Button>
        </div>
      </Form>
    </Card>
  )
}

interface SecondFactorProps {
  readonly codesLeft: number
}

export function SecondFactorCard({ codesLeft }: SecondFactorProps) {
  const request = usePersonRequest()
  const { profile } = request.texts
  const isOn = request.person.hasSecondFactor
  return (
    <Card title={profile.second}>
      <p>{isOn ? profile.secondOn(String(codesLeft)) : profile.secondOff}</p>
      <div class="buttons">
        {isOn ? (
          <>
            <AskButton href="/console/profile/second-factor/codes">{profile.renew}</AskButton>
            <AskButton href="/console/profile/second-factor/off">{profile.turnOff}</AskButton>
          </>
        ) : (
          <GetButton href="/console/profile/second-factor" kind="primary">
            {profile.setUp}
          </GetButton>
        )}
      </div>
    </Card>
  )
}
