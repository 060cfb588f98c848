import type { Operation, Parameter } from '../document.ts'
import { bytesOf, type FuzzRequest, type Header } from '../wire/request.ts'
import type { Sent, World } from '../world.ts'
import { broken, oddText, validValue } from './generate.ts'
import { brokenBody, brokenHeaders, brokenMethod, brokenPath, rawRequest } from './spoil.ts'
import { ODD_ENCODINGS, renderJson } from './values.ts'

/** One request to an operation: valid, nearly valid or hostile. */
export function operationRequest(world: World, operation: Operation): Sent {
  const { dice } = world
  const what = operation.id
  if (dice.chance(0.02)) return { request: rawRequest(world, operation), what: 'raw' }
  const isValid = dice.chance(0.35)
  const valid = validRequest(world, operation, isValid)
  if (isValid) return { request: valid, operationId: operation.id, what }
  let request = valid
  let operationId: string | undefined = operation.id
  for (let wrong = dice.pick([1, 1, 1, 2, 4]); wrong > 0; wrong--) {
    const way = dice.below(10)
    if (way === 0) [request, operationId] = [brokenMethod(world, request), undefined]
    else if (way === 1) [request, operationId] = [brokenPath(world, request), undefined]
    else if (way <= 4) request = brokenHeaders(world, request)
    else if (way <= 6) request = brokenQuery(world, request, operation)
    else request = brokenBody(world, request)
  }
  return { request, ...(operationId ? { operationId } : {}), what }
}

const encoded = (text: string): string => {
  // A lone surrogate has no percent-encoding; encode its three bytes.
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}

function validRequest(world: World, operation: Operation, isValid: boolean): FuzzRequest {
  const { dice } = world
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encoded(pathValue(world, operation, name, isValid)),
  )
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || dice.chance(0.4)))
    .map((parameter) => queryPair(world, parameter))
  const body = bodyOf(world, operation, isValid)
  const headers: Header[] = [
    ...authorization(world, operation, isValid),
    ...(body ? [['Content-Type', 'application/json'] as const] : []),
    ...(operation.method === 'POST' && dice.chance(0.3) ? [idempotencyKey(world)] : []),
  ]
  return { method: operation.method, path, query, headers, ...(body ? { body } : {}) }
}

function pathValue(world: World, { parameters }: Operation, name: string, isValid: boolean): string {
  const { dice, merchant, otherMerchant } = world
  if (name === 'appId')
    return isValid || dice.chance(0.97)
      ? merchant.sandbox.appId
      : dice.pick([otherMerchant.sandbox.appId, 'app_x'])
  if (name === 'licenseId') return merchant.licenseId
  if (!isValid && dice.chance(0.3))
    return dice.pick(['0', '-1', '999999999', '9'.repeat(25), oddText(dice), '1.5'])
  const known = world.known.any(name, dice)
  const shape = parameters.find((parameter) => parameter.name === name)?.schema ?? { type: 'string' }
  return known ?? String(validValue(world, shape, name))
}

const queryPair = (world: World, { name, schema }: Parameter): string => {
  const value = validValue(world, schema, name)
  return `${encodeURIComponent(name)}=${encoded(String(value))}`
}

function brokenQuery(world: World, request: FuzzRequest, { parameters }: Operation): FuzzRequest {
  const { dice } = world
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const name = names.length > 0 ? dice.pick(names) : dice.pick(['amount', 'pageSize', '__proto__', 'x'])
  const added = dice.pick([
    `${name}=${encoded(oddText(dice))}`,
    `${name}=${dice.pick(ODD_ENCODINGS)}`,
    `${dice.pick(ODD_ENCODINGS)}=1`,
    `${name}=1`,
    name,
    `${name}[]=1`,
    `${name}=${'9'.repeat(1_000)}`,
    '=',
    '&&',
  ])
  // A duplicate key.
  const doubled = dice.chance(0.3) ? [added, added] : [added]
  return { ...request, query: [...request.query, ...doubled] }
}

function bodyOf(world: World, operation: Operation, isValid: boolean): Buffer | undefined {
  const { dice } = world
  const { schema, example } = operation.body ?? {}
  if (!operation.body) return undefined
  if (!schema) return Buffer.from(renderJson({ event: 'payment.changed', id: dice.below(1_000) }))
  const base = example !== undefined && dice.chance(0.4) ? fresh(world, example) : validValue(world, schema)
  const value = isValid ? base : dice.chance(0.8) ? broken(world, base) : base
  return Buffer.from(renderJson(withoutDelay(world, operation, value)))
}

/** The example of the document with new ids and with webhooks to this machine. */
function fresh(world: World, example: unknown): unknown {
  const copy = structuredClone(example) as Record<string, unknown>
  if (typeof copy.referenceId === 'string') copy.referenceId = `${world.mark}-${world.next()}`
  for (const name of Object.keys(copy)) if (/webhookurl$/i.test(name)) copy[name] = `${world.hooks}/200`
  return copy
}

/** Removes delays of the bank, which only slow the run down. */
function withoutDelay({ dice }: World, { path }: Operation, value: unknown): unknown {
  if (!path.endsWith('/faults') || typeof value !== 'object' || value === null) return value
  const { delayMs, ...fault } = value as Record<string, unknown>
  const isLate = typeof delayMs === 'number' && delayMs > 50
  return { ...fault, ...(delayMs === undefined ? {} : { delayMs: isLate ? dice.below(50) : delayMs }) }
}

function authorization(world: World, { security }: Operation, isValid: boolean): Header[] {
  const { dice, merchant, otherMerchant } = world
  if (!isValid && dice.chance(0.06)) {
    const other = dice.pick([
      otherMerchant.sandbox.apiKey,
      merchant.live.apiKey,
      'sk_sandbox_x',
      `sk_live_${'0'.repeat(40)}`,
    ])
    return dice.pick<Header[]>([
      [],
      [['Authorization', `Bearer ${other}`]],
      [['Authorization', bytesOf('Basic żółć')]],
    ])
  }
  if (security === 'operatorToken') return [['Authorization', `Bearer ${world.operatorToken}`]]
  if (security === 'licenseCode') return [['Authorization', `Bearer ${merchant.authorizationCode}`]]
  return security === undefined ? [] : [['Authorization', `bearer ${merchant.sandbox.apiKey}`]]
}

const idempotencyKey = ({ dice, mark, next }: World): Header => [
  'Idempotency-Key',
  dice.chance(0.8) ? `${mark}-key-${next()}` : `${mark}-shared-${dice.below(4)}`,
]
