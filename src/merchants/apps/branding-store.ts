import { type Queryable, sql } from '../../db/database.ts'
import type { Branding } from '../app.ts'

export interface StoredLogo {
  readonly type: string
  readonly bytes: Buffer
  readonly hash: string
}

type Fields = Omit<Branding, 'logoHash'> & { readonly logo: StoredLogo | null }

/** Absent fields stay unchanged; null clears. */
export type BrandingChanges = { readonly [Field in keyof Fields]?: Fields[Field] | undefined }

const UPDATE = sql<never>(
  'branding.update',
  `update apps set
     logo = case when $2 then $3::bytea else logo end,
     logo_type = case when $2 then $4 else logo_type end,
     logo_hash = case when $2 then $5 else logo_hash end,
     color = case when $6 then $7 else color end,
     slogan1 = case when $8 then $9 else slogan1 end,
     slogan2 = case when $10 then $11 else slogan2 end,
     support = case when $12 then $13 else support end,
     terms_url = case when $14 then $15 else terms_url end,
     privacy_url = case when $16 then $17 else privacy_url end,
     locale = case when $18 then $19 else locale end,
     theme = case when $20 then $21 else theme end,
     show_powered_by = coalesce($22, show_powered_by)
   where app_id = $1`,
)

export async function updateBranding(db: Queryable, appId: string, changes: BrandingChanges): Promise<void> {
  const { logo, color, slogan1, slogan2, support, termsUrl, privacyUrl, locale, theme, showPoweredBy } =
    changes
  const texts = [color, slogan1, slogan2, support, termsUrl, privacyUrl, locale, theme]
  const rest = texts.flatMap((value) => [value !== undefined, value ?? null])
  const logoValues = [logo !== undefined, logo?.bytes ?? null, logo?.type ?? null, logo?.hash ?? null]
  await db.query(UPDATE, [appId, ...logoValues, ...rest, showPoweredBy ?? null])
}

const LOGO = sql<StoredLogo>(
  'branding.logo',
  'select logo as bytes, logo_type as type, logo_hash as hash from apps where app_id = $1 and logo_hash = $2',
)

export const selectLogo = async (
  db: Queryable,
  appId: string,
  hash: string,
): Promise<StoredLogo | undefined> => (await db.query(LOGO, [appId, hash]))[0]
