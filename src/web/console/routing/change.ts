import { ApiError, invalid } from '../../../base/errors.ts'
import { sha256 } from '../../../base/secret.ts'
import { createCheck } from '../../../http/validate.ts'
import { readId } from '../../../http/wire.ts'
import type { RoutingConfig, RoutingRule } from '../../../merchants/routing-config.ts'
import { changeRouting } from '../../../routing/commands.ts'
import { configOf } from '../../../routing/config.ts'
import { RoutingInput, readRouting } from '../../../routing/schema.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** Changes of one part of the routing. The command replaces the whole. */

/** Identifies the routing that a page shows, so that its forms do not change another one. */
export const seenOf = ({ app }: Pick<AppRequest, 'app'>): string =>
  sha256(JSON.stringify(configOf(app)))
    .toString('hex')
    .slice(0, 16)

export async function edit(
  request: AppRequest,
  change: (config: RoutingConfig) => RoutingConfig,
): Promise<void> {
  const { ctx, app, call, texts } = request
  if (call.form.get('seen') !== seenOf(request)) throw new ApiError('not_possible', texts.routing.changed)
  await changeRouting(ctx, app, change(configOf(app)))
}

/** The place of a route or provider; undefined when it is not one of the list. */
export function placeIn(list: readonly unknown[], text: string | undefined): number | undefined {
  const place = readId(text ?? '')
  return place !== undefined && place < list.length ? place : undefined
}

function movedIn<T>(list: readonly T[], from: number | undefined, to: number | undefined): readonly T[] {
  if (from === undefined || to === undefined) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))
}

export interface Move {
  /** `routes`, or the place of the route whose providers are moved. */
  readonly list: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

/** A place that does not exist changes nothing. */
export function moved(config: RoutingConfig, { list, from, to }: Move): RoutingConfig {
  const { routes } = config
  if (list === 'routes')
    return { ...config, routes: movedIn(routes, placeIn(routes, from), placeIn(routes, to)) }
  const place = placeIn(routes, list)
  return {
    ...config,
    routes: routes.map((route, index) => {
      if (index !== place) return route
      const { profiles } = route
      return { ...route, profiles: movedIn(profiles, placeIn(profiles, from), placeIn(profiles, to)) }
    }),
  }
}

export const withoutRoute = (config: RoutingConfig, place: number | undefined): RoutingConfig => ({
  ...config,
  routes: config.routes.filter((_route, index) => index !== place),
})

/** Replaces a route, or adds one as the last. */
export const withRoute = (
  config: RoutingConfig,
  place: number | undefined,
  rule: RoutingRule,
): RoutingConfig => ({
  ...config,
  routes:
    place === undefined
      ? [...config.routes, rule]
      : config.routes.map((one, at) => (at === place ? rule : one)),
})

/** Without a profile the currency has no default. */
export function withDefault(
  config: RoutingConfig,
  currency: string,
  profileId: number | undefined,
): RoutingConfig {
  const others = config.defaults.filter((one) => one.currency !== currency)
  return { ...config, defaults: profileId === undefined ? others : [...others, { currency, profileId }] }
}

const check = createCheck(RoutingInput)

/** Validates as the API does. */
export function readConfig({ app }: AppRequest, input: unknown): RoutingConfig {
  const errors = check(input)
  if (errors.length > 0) throw invalid(errors)
  return readRouting(app, input as Parameters<typeof readRouting>[1])
}
