import { digitsOf } from '../../base/cards/form.ts'
import { ApiError } from '../../base/errors.ts'
import { appIdFromPart } from '../../base/ids.ts'
import { appOfHost } from '../../merchants/directory.ts'
import { type PageAnswer, seeOther } from '../../web/kit/request/answer.ts'
import type { PageCall } from '../../web/kit/request/call.ts'
import { tokeniseBankAccount, tokeniseCard, tokeniseCode } from '../helpers/browser.ts'
import { type Fields, readFields, typedAccount, typedCard } from './form.ts'
import type { SandboxPageContext } from './page-context.ts'

/**
 * Form fields on a shop's page post here. Redirects back to the shop with a one-time token or with problem
 * names, never with the customer's input.
 */
export async function exchangeForToken(context: SandboxPageContext, call: PageCall): Promise<PageAnswer> {
  const fields = readFields(call.body)
  const back = await backOf(context, fields)
  const result = await tokenOf(context, fields)
  const returnedFields = [...fields].filter(([name]) => name.startsWith('_'))
  return seeOther(`${back}?${new URLSearchParams([...returnedFields, result])}`)
}

/** Allows only URLs of our own checkout and customer pages, to prevent an open redirect. */
async function backOf({ ctx }: SandboxPageContext, fields: Fields): Promise<string> {
  const back = fields.get('back') ?? ''
  const { publicUrl } = ctx.config
  const isOurs = back.startsWith(`${publicUrl}/c/`) || back.startsWith(`${publicUrl}/p/`)
  const [, host = '', key = ''] = /^https:\/\/([a-z0-9.-]+)\/c\/([0-9a-z]{38})\//.exec(back) ?? []
  if (!isOurs && (host === '' || (await appOfHost(ctx, host)) !== appIdFromPart(key)))
    throw new ApiError('not_found', 'The form does not say where it came from.')
  return back.replace(/[?#].*$/s, '')
}

async function tokenOf(
  context: SandboxPageContext,
  fields: Fields,
): Promise<[name: 'token' | 'problems', value: string]> {
  const { ctx, sandbox } = context
  const browser = sandbox.browser(ctx.http)
  const key = fields.get('key') ?? ''
  if (fields.get('method') === 'code') return codeOf(context, key, digitsOf(fields.get('code') ?? ''))
  const typed =
    fields.get('method') === 'ElectronicCheck' ? typedAccount(fields) : typedCard(fields, ctx.clock.now())
  if (typed.kind === 'problems') return ['problems', typed.problems.join('.')]
  const { value } = typed
  const token = await ('number' in value
    ? tokeniseCard(browser, key, value)
    : tokeniseBankAccount(browser, key, value))
  if (token.kind === 'ok') return ['token', token.token]
  return ['problems', token.kind === 'lost' ? 'lost' : 'number' in value ? 'numberWrong' : 'accountWrong']
}

/** Exchanges the security code of a stored card for a token. */
async function codeOf(
  { ctx, sandbox }: SandboxPageContext,
  key: string,
  code: string,
): Promise<[name: 'token' | 'problems', value: string]> {
  if (code === '') return ['problems', 'codeEmpty']
  const token = await tokeniseCode(sandbox.browser(ctx.http), key, code)
  if (token.kind === 'ok') return ['token', token.token]
  return ['problems', token.kind === 'lost' ? 'lost' : 'codeWrong']
}
