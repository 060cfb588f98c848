import { Button } from '../../web/kit/html/controls.tsx'
import { KeyValue } from '../../web/kit/html/layout.tsx'
import { type PageAnswer, seeOther } from '../../web/kit/request/answer.ts'
import type { PageCall } from '../../web/kit/request/call.ts'
import { actOnKeeping, openSetup, type SetupPageAction, type SetupView } from '../helpers/browser.ts'
import { readFields } from './form.ts'
import { closedPage, sandboxPage, silentPage } from './frame.tsx'
import type { SandboxPageContext } from './page-context.ts'
import { EmailField } from './pay-view.tsx'

/** The page where a customer agrees to store a method without a payment, at a wallet or a bank. */
export async function showKeepPage(context: SandboxPageContext, call: PageCall): Promise<PageAnswer> {
  const session = call.params.session ?? ''
  const result = await openSetup(context.sandbox.browser(context.ctx.http), session)
  if (result.kind !== 'ok') return closedPage(context, undefined)
  const { setup } = result
  if (setup.status !== 'needs-customer') return closedPage(context, setup)
  return sandboxPage(context, {
    title: 'Let the shop keep this method',
    children: <SetupForm setup={setup} session={session} />,
  })
}

function SetupForm({ setup, session }: { readonly setup: SetupView; readonly session: string }) {
  const { method, card } = setup
  return (
    <>
      <h1>Let the shop keep this method</h1>
      <KeyValue
        rows={[
          ['Imitates', method === 'Paypal' ? 'PayPal' : 'the card’s bank'],
          card ? ['Card', <bdi>{`${card.brand} •••• ${card.last4}`}</bdi>] : undefined,
          ['Charged now', 'nothing'],
        ]}
      />
      <form method="post" action={`/sandbox/keep/${session}`} class="pay-form" data-pay>
        {method === 'Paypal' && <EmailField />}
        <Button name="action" value="approve">
          Allow
        </Button>
        <div class="choices">
          <Button kind="danger" name="action" value="decline">
            Refuse
          </Button>
          <Button kind="quiet" name="action" value="cancel">
            Cancel and go back
          </Button>
        </div>
      </form>
    </>
  )
}

export async function pressOnKeepPage(context: SandboxPageContext, call: PageCall): Promise<PageAnswer> {
  const { ctx, sandbox } = context
  const session = call.params.session ?? ''
  const browser = sandbox.browser(ctx.http)
  const result = await openSetup(browser, session)
  if (result.kind !== 'ok') return closedPage(context, undefined)
  const { setup } = result
  const url = `${ctx.config.publicUrl}/sandbox/keep/${session}`
  const pressed = await actOnKeeping(browser, url, actionOf(readFields(call.body)))
  if (pressed.kind === 'refused') return closedPage(context, setup)
  if (pressed.kind === 'lost') return silentPage(context, setup)
  return setup.back ? seeOther(setup.back) : closedPage(context, setup)
}

function actionOf(fields: ReadonlyMap<string, string>): SetupPageAction {
  const action = fields.get('action')
  if (action === 'decline' || action === 'cancel') return { action }
  const email = fields.get('email')
  return { action: 'approve', ...(email ? { email } : {}) }
}
