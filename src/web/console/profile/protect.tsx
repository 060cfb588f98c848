import { listPasskeys } from '../../../people/passkeys/passkeys.ts'
import type { PersonRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'

/** The second step of the first set-up. */
export const PROTECT = '/console/protect'

const PROFILE = '/console/profile'

/** Where a change of how a person signs in ends: in the profile, or in the set-up that it is a part of. */
export const cameFrom = ({ call }: PersonRequest): string =>
  (call.form.get('from') ?? call.query.from) === 'protect' ? PROTECT : PROFILE

/** Kept by the forms between, so that they come back. */
export const fromOf = (request: PersonRequest): Readonly<Record<string, string>> =>
  cameFrom(request) === PROTECT ? { from: 'protect' } : {}

/** The address of a page or form between, which knows where it came from. */
export const withFrom = (request: PersonRequest, page: string): string =>
  cameFrom(request) === PROTECT ? `${page}?from=protect` : page

/** Offers a passkey and a second factor. Both can be left out and are in the profile later. */
export async function showProtect(request: PersonRequest): Promise<PageAnswer> {
  const { ctx, texts, person } = request
  const { profile } = texts
  const hasPasskey = (await listPasskeys(ctx, person.personId)).length > 0
  const isProtected = hasPasskey || person.hasSecondFactor
  return renderScreen(request, {
    name: 'profile',
    title: profile.protectTitle,
    children: (
      <>
        <p>{profile.protectIntro}</p>
        <div class="columns">
          <Card title={profile.protectPasskey}>
            <p>{hasPasskey ? profile.protectHasPasskey : profile.passkeysIntro}</p>
            <p class="muted small without-passkeys">{profile.needsScript}</p>
            <div class="buttons with-passkeys">
              <GetButton
                href={`${PROFILE}/passkeys/new?from=protect`}
                kind={isProtected ? 'quiet' : 'primary'}
              >
                {profile.addPasskey}
              </GetButton>
            </div>
          </Card>
          <Card title={profile.second}>
            <p>{person.hasSecondFactor ? profile.protectHasSecond : profile.protectSecond}</p>
            {!person.hasSecondFactor && (
              <div class="buttons">
                <GetButton
                  href={`${PROFILE}/second-factor?from=protect`}
                  kind={isProtected ? 'quiet' : 'primary'}
                >
                  {profile.setUp}
                </GetButton>
              </div>
            )}
          </Card>
        </div>
        <div class="buttons">
          <GetButton href="/console/home" kind={isProtected ? 'primary' : 'quiet'}>
            {isProtected ? profile.protectDone : profile.protectSkip}
          </GetButton>
        </div>
      </>
    ),
  })
}
