/** How many rows one claim may take, and how many each profile and app has in progress already. */
export interface Share {
  readonly limit: number
  readonly perProfile: number
  readonly perApp: number
  /** Work in progress, by profile id and by app id. */
  readonly profiles: Readonly<Record<string, number>>
  readonly apps: Readonly<Record<string, number>>
  /** Claim rows of this app only. */
  readonly app?: string
}

interface Claimable {
  /** The due rows of one table, as `table where …`. */
  readonly rows: string
  /** The columns of its primary key, `app_id` among them. */
  readonly key: string
  /** SQL expression of the profile that a row's work calls. */
  readonly profile?: string
}

/**
 * Rows that one claim scans. Rows of a profile or app that has used up its share are filtered out before the
 * limit applies, so a long backlog of one profile fills only the first claim.
 */
const WINDOW = 200

const inProgress = (of: 'profiles' | 'apps', id: string): string =>
  `coalesce(($2::jsonb -> '${of}' ->> ${id})::integer, 0)`
const bound = (name: 'limit' | 'perProfile' | 'perApp'): string => `($2::jsonb ->> '${name}')::integer`

/**
 * Selects the key, and the profile as `share_profile`, of due rows to claim: the oldest within the shares of
 * their profile and app. The first row of every profile comes before the second of any. `$2` is the share as
 * JSON; `rows` uses `$1` for the time.
 */
export function fairClaim({ rows, key, profile = 'profile_id' }: Claimable): string {
  const ofProfile = inProgress('profiles', `(${profile})::text`)
  const ofApp = inProgress('apps', 'app_id')
  return `select ${key}, share_profile from (
      select ${key}, share_profile, due_time,
        of_profile + row_number() over (partition by app_id, share_profile order by due_time) as of_profile,
        of_app + row_number() over (partition by app_id order by due_time) as of_app
      from (
        select ${key}, due_time, ${profile} as share_profile, ${ofProfile} as of_profile, ${ofApp} as of_app
        from ${rows} and ${ofProfile} < ${bound('perProfile')} and ${ofApp} < ${bound('perApp')}
          and ($2::jsonb ->> 'app' is null or app_id = $2::jsonb ->> 'app')
        order by due_time limit ${WINDOW} for update skip locked) due) shared
    where of_profile <= ${bound('perProfile')} and of_app <= ${bound('perApp')}
    order by of_profile, due_time limit ${bound('limit')}`
}

export interface Pauses {
  readonly firstMs: number
  readonly longestMs: number
}

/** SQL of the next due time after `tries` failures: exponential backoff. */
export const backOff = (now: string, tries: string, { firstMs, longestMs }: Pauses): string =>
  `${now}::timestamptz
     + least(${longestMs}, ${firstMs} * power(2, least(${tries}, 30))) * interval '1 millisecond'`
