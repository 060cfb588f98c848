/** What the file of the samples has in place of ids. */
const PLACEHOLDERS = {
  url: 'https://pay.example.com',
  appId: 'app_0123456789abcdef',
  currency: 'EUR',
} as const

export type SampleIds = { readonly [Name in keyof typeof PLACEHOLDERS]?: string }

/**
 * Puts the ids of an app into the samples. Ids of payments stay examples, so that a copied refund does not
 * hit a real payment, and keys are never shown.
 */
export const fillIds = (text: string, ids: SampleIds): string =>
  Object.entries(ids).reduce(
    (filled, [name, id]) => filled.replaceAll(PLACEHOLDERS[name as keyof SampleIds], () => id),
    text,
  )
