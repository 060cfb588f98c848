import type { App } from '../merchants/app.ts'
import { NO_ROUTING, type RoutingConfig } from './rules.ts'

/** The app's routing as typed data. App stores it untyped; only `changeRouting` writes it. */
export const configOf = ({ routing }: Pick<App, 'routing'>): RoutingConfig =>
  routing === null ? NO_ROUTING : (routing as RoutingConfig)
