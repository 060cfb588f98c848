import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Answer } from '../../support/tender.ts'

/** As little of the hosts as the plugins need to be loaded without them. Amounts of tests are small. */
const HOSTS: Readonly<Record<string, string>> = {
  '@medusajs/framework/utils': `
    class Amount extends Number { toNumber() { return Number(this) } }
    const of = (value) => new Amount(value?.value ?? value)
    export const MathBN = {
      convert: of, add: (a, b) => of(+a + +b), sub: (a, b) => of(+a - +b),
      lte: (a, b) => +a <= +b, gt: (a, b) => +a > +b, eq: (a, b) => +a === +b,
    }
    export const PaymentSessionStatus = {
      AUTHORIZED: 'authorized', CAPTURED: 'captured', PENDING: 'pending', ERROR: 'error',
      CANCELED: 'canceled', PENDING_AUTHORIZATION: 'pending_authorization',
    }
    export const PaymentActions = {
      AUTHORIZED: 'authorized', SUCCESSFUL: 'captured', FAILED: 'failed', NOT_SUPPORTED: 'not_supported',
    }
    export const defaultCurrencies = { EUR: { decimal_digits: 2 } }
    export class MedusaError extends Error {
      static Types = { NOT_ALLOWED: 'not_allowed', UNEXPECTED_STATE: 'unexpected_state' }
      constructor(type, message) { super(message); this.type = type }
    }
    export class AbstractPaymentProvider { constructor(cradle, config) { this.config = config } }`,
  '@nestjs/common': 'export const Inject = () => () => {}; export const Injectable = () => () => {}',
  '@vendure/core': `
    export const Logger = { warn() {}, error: (text) => console.error(text) }
    export const isGraphQlErrorResult = (result) => 'errorCode' in result
    export class UserInputError extends Error {}
    export class ConfigService {}; export class OrderService {}; export class PaymentMethodService {}
    export class TransactionalConnection {}
    export class Order {}; export class Payment {}; export class Refund {}`,
}

/** The exports of one source of a plugin, with stand-ins for its host and the SDK as it is. */
export async function loadPlugin(path: string): Promise<Answer> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    plugins: [
      {
        name: 'hosts',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^tender-sdk$/ }, () => ({ path: resolve('packages/sdk/src/tender.ts') }))
          onResolve({ filter: /^@/ }, (wanted) => ({ path: wanted.path, namespace: 'host' }))
          onLoad({ filter: /.*/, namespace: 'host' }, (wanted) => ({ contents: HOSTS[wanted.path] ?? '' }))
        },
      },
    ],
  })
  const folder = mkdtempSync(join(tmpdir(), 'tender-plugin-'))
  const file = join(folder, 'plugin.mjs')
  writeFileSync(file, outputFiles[0]?.contents ?? '')
  return import(pathToFileURL(file).href).finally(() => rmSync(folder, { recursive: true }))
}
