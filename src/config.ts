import type { Secret } from './base/secret.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl?: Secret
  readonly operatorToken?: Secret
  /** The first seals, all of them open: SECRET_KEY may hold several, separated by commas, while it is rotated. */
  readonly secretKeys: readonly Secret[]
  readonly role: 'all' | 'web' | 'worker'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  readonly allowPrivateWebhooks: boolean
  readonly production: boolean
}
