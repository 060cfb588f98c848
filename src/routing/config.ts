import type { App } from '../merchants/app.ts'
import { NO_ROUTING, type RoutingConfig } from './rules.ts'

/** The app carries its routing without knowing its shape; what it holds was written by `changeRouting`. */
export const configOf = ({ routing }: Pick<App, 'routing'>): RoutingConfig =>
  routing === null ? NO_ROUTING : (routing as RoutingConfig)
