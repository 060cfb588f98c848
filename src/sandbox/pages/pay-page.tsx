import { accessTokens } from '../../merchants/profiles/call.ts'
import { DECLINE_REASONS } from '../../providers/outcome.ts'
import { Notice } from '../../web/kit/html/layout.tsx'
import { type PageAnswer, seeOther } from '../../web/kit/request/answer.ts'
import type { PageCall } from '../../web/kit/request/call.ts'
import { actOnPage, type PageAction, type PageView } from '../helpers/browser.ts'
import { buttonsOf } from '../values/named.ts'
import { CRYPTO_BUTTONS } from '../values/values.ts'
import { APPROVAL_FAULTS } from './approval-faults.ts'
import { type Fields, readFields, typedAccount, typedCard } from './form.ts'
import { closedPage, readPage, sandboxPage, silentPage } from './frame.tsx'
import type { SandboxPageContext } from './page-context.ts'
import { PayPage } from './pay-view.tsx'

export async function showPayPage(
  context: SandboxPageContext,
  call: PageCall,
  problems: readonly string[] = [],
): Promise<PageAnswer> {
  const session = call.params.session ?? ''
  const result = await readPage(context, session)
  if (result.kind !== 'ok') return closedPage(context, undefined)
  const { page } = result
  // The card requires a challenge, so the challenge page is open instead of this one.
  if (page.kind === '3ds') return seeOther(`/sandbox/3ds/${session}`)
  if (page.kind !== 'pay') return closedPage(context, page)
  const { method } = page
  const hasFields = method === 'CreditCard' || method === 'ElectronicCheck'
  const form = hasFields
    ? context.sandbox.adapter.fields?.(fieldsContext(context, session), method)
    : undefined
  return sandboxPage(context, {
    title: 'Pay',
    children: <PayPage page={page} session={session} problems={problems} form={form} />,
  })
}

/** The adapter's `fields` reads only the account and the time. */
function fieldsContext({ ctx, sandbox }: SandboxPageContext, session: string) {
  const [account = ''] = session.split('.')
  return {
    config: sandbox.openAccount(account),
    sandbox: true,
    origin: '',
    tokens: accessTokens(ctx).of('', () => ctx.clock.now()),
    http: ctx.http,
    now: () => ctx.clock.now(),
    signal: new AbortController().signal,
    notifyUrl: '',
  }
}

/** Sends the pressed button to the bank, then redirects the customer to the URL in its answer. */
export async function pressOnPage(context: SandboxPageContext, call: PageCall): Promise<PageAnswer> {
  const session = call.params.session ?? ''
  const fields = readFields(call.body)
  const result = await readPage(context, session)
  if (result.kind !== 'ok') return closedPage(context, undefined)
  const { page } = result
  const action = actionOf(context, page, fields)
  if (Array.isArray(action)) return showPayPage(context, call, action)
  const approvalFault = APPROVAL_FAULTS.find(({ name }) => name === fields.get('mishap'))
  if (approvalFault?.fault) await armFault(context, session, approvalFault.fault)
  const wanted = action as PageAction
  const pressed =
    approvalFault?.twist && wanted.action === 'approve' ? { ...wanted, twist: approvalFault.twist } : wanted
  const shown = await press(context, session, pressed)
  if (shown.kind === 'refused') return closedPage(context, page)
  if (shown.kind === 'lost') return silentPage(context, page)
  if (approvalFault?.name === 'never-returns') return neverReturnsPage(context)
  if (action && 'action' in action && action.action === 'do-nothing') return showPayPage(context, call)
  return shown.next ? seeOther(shown.next) : closedPage(context, page)
}

const press = ({ ctx, sandbox }: SandboxPageContext, session: string, action: PageAction) =>
  actOnPage(sandbox.browser(ctx.http), `${ctx.config.publicUrl}/sandbox/pay/${session}`, action)

async function armFault(
  { ctx, sandbox }: SandboxPageContext,
  session: string,
  fault: (typeof APPROVAL_FAULTS)[number]['fault'],
) {
  const [account = ''] = session.split('.')
  if (fault) await sandbox.control(ctx.http, account).armFault({ times: 1, ...fault })
}

/** The action of the pressed button, or the names of the problems in the form. */
function actionOf(
  { ctx }: SandboxPageContext,
  { method }: PageView,
  fields: Fields,
): PageAction | readonly string[] {
  const action = fields.get('action') ?? 'approve'
  if (action === 'decline') {
    const reason = DECLINE_REASONS.find((one) => one === fields.get('reason')) ?? 'generic'
    return { action, reason }
  }
  if (action === 'cancel') return { action }
  if (action === 'fields') {
    const typed = method === 'CreditCard' ? typedCard(fields, ctx.clock.now()) : typedAccount(fields)
    if (typed.kind === 'problems') return typed.problems
    return 'number' in typed.value
      ? { action: 'card', card: typed.value }
      : { action: 'bank-account', bankAccount: typed.value }
  }
  const button = CRYPTO_BUTTONS.find((one) => one.action === action)
  if (button) return { action: button.action }
  const named = buttonsOf(method)?.find((one) => one.action === action)
  if (named) return { action: named.action }
  const email = fields.get('email')
  return { action: 'approve', ...(method === 'Paypal' && email ? { email } : {}) }
}

function neverReturnsPage(context: SandboxPageContext): PageAnswer {
  return sandboxPage(context, {
    title: 'The browser never returns',
    children: (
      <Notice kind="info" title="The browser never returns">
        <p>
          The payment was approved and the customer closed the window here. The shop learns of it by itself.
        </p>
      </Notice>
    ),
  })
}
