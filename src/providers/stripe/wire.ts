import { matching, textAt } from '../kit/json.ts'

/** The id of an object that is expanded or not. */
export const idAt = (value: unknown, name: string): string | undefined =>
  textAt(value, name) ?? textAt(value, name, 'id')

/** Ids of Stripe end up in paths, so they are never sent as anything else than an id. */
export const isId = matching(/^[A-Za-z0-9_]{1,255}$/)
