import type { App } from '../merchants/app.ts'
import type { RoutingConfig } from '../merchants/routing-config.ts'
import { NO_ROUTING } from './rules.ts'

/** The app's routing; an app without one has no defaults and no routes. */
export const configOf = ({ routing }: Pick<App, 'routing'>): RoutingConfig => routing ?? NO_ROUTING
