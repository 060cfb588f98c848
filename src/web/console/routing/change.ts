import { ApiError } from '../../../base/errors.ts'
import { sha256 } from '../../../base/secret.ts'
import { readId } from '../../../http/wire.ts'
import type { RoutingConfig } from '../../../merchants/routing-config.ts'
import { changeRouting } from '../../../routing/commands.ts'
import { configOf } from '../../../routing/config.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** Changes of one part of the routing. The command replaces the whole. */

/** Identifies the routing that a page shows, so that its forms do not change another one. */
export const seenOf = ({ app }: Pick<AppRequest, 'app'>): string =>
  sha256(JSON.stringify(configOf(app)))
    .toString('hex')
    .slice(0, 16)

export async function edit(
  request: AppRequest,
  change: (config: RoutingConfig) => Partial<RoutingConfig>,
): Promise<void> {
  const { ctx, app, call, texts } = request
  if (call.form.get('seen') !== seenOf(request))
    throw new ApiError('not_possible', texts.routing.changed, { isTranslated: true })
  const config = configOf(app)
  await changeRouting(ctx, app, { ...config, ...change(config) })
}

/** The place of a route or provider; undefined when it is not one of the list. */
export function placeIn(list: readonly unknown[], text: string | undefined): number | undefined {
  const place = readId(text ?? '')
  return place !== undefined && place < list.length ? place : undefined
}

/** A place that does not exist changes nothing. */
export function moved<T>(list: readonly T[], fromText: string | undefined, toText: string | undefined) {
  const [from, to] = [placeIn(list, fromText), placeIn(list, toText)]
  if (from === undefined || to === undefined) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))
}
