import type { FieldsForm } from '../../providers/fields.ts'
import { DECLINE_REASONS } from '../../providers/outcome.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../web/kit/format/short-text.ts'
import { Button, Field, Select } from '../../web/kit/html/controls.tsx'
import { BankFields, CardFields, cardTexts, TestValues } from '../../web/kit/html/fields.tsx'
import { KeyValue } from '../../web/kit/html/layout.tsx'
import { Qr } from '../../web/kit/html/qr.tsx'
import type { PageView } from '../helpers/browser.ts'
import { buttonsOf, type SandboxMethod } from '../values/named.ts'
import { CRYPTO_BUTTONS, TEST_PAYPAL } from '../values/values.ts'
import { APPROVAL_FAULTS } from './approval-faults.ts'
import { ENGLISH, shownAmount } from './frame.tsx'

export interface PayPageProps {
  readonly page: PageView
  readonly session: string
  readonly problems: readonly string[]
  readonly form: FieldsForm | undefined
}

const IMITATES: Readonly<Record<SandboxMethod, string>> = {
  ideal: 'a bank in the Netherlands',
  'bank-transfer': 'a page with the details of a transfer',
  'sepa-debit': 'a page with a mandate for a debit',
  'apple-pay': 'a wallet',
  multibanco: 'a page with a reference for a machine',
  klarna: 'a page to pay later',
  CreditCard: 'a card page',
  ElectronicCheck: 'a bank',
  Paypal: 'PayPal',
  Crypto: 'a crypto exchange',
}

/** The states of a payment after an approval. */
const PATHS: Readonly<Partial<Record<SandboxMethod, string>>> = {
  CreditCard: 'Authorizing → Capturing → Captured',
  ElectronicCheck: 'SaleInProgress → Captured after 4 s',
  Paypal: 'Approved → Capturing → Captured',
  Crypto: 'SaleInProgress → Captured',
}
const BACK_TO_OPEN = 'Stays Created; the customer may try again.'

/** The provider's payment page, with a button for each outcome. */
export function PayPage(props: PayPageProps) {
  const { page, session } = props
  const { method } = page
  const buttons = buttonsOf(method)
  return (
    <>
      <h1>
        Pay <span class="money">{shownAmount(page)}</span>
      </h1>
      <KeyValue
        rows={[
          ['Imitates', IMITATES[method]],
          page.description ? ['For', <bdi>{shortText(page.description, DESCRIPTION_SHOWN)}</bdi>] : undefined,
        ]}
      />
      {buttons && <Named buttons={buttons} session={session} />}
      {!buttons &&
        (method === 'Crypto' ? <Crypto page={page} session={session} /> : <Approving {...props} />)}
      <Declining session={session} />
      <form method="post" action={`/sandbox/pay/${session}`} class="pay-form">
        <Button kind="quiet" name="action" value="cancel">
          Cancel and go back
        </Button>
        <p class="hint">{BACK_TO_OPEN}</p>
      </form>
      <ApprovalFaults session={session} />
    </>
  )
}

function Approving({ page, session, problems, form }: PayPageProps) {
  const { method } = page
  const { texts } = ENGLISH
  const given = { texts, problems, payerName: undefined, prefix: 'f' }
  const card =
    method === 'CreditCard' ? { 'data-card': cardTexts(texts), 'data-brands': form?.brands?.join() } : {}
  return (
    <form method="post" action={`/sandbox/pay/${session}`} class="pay-form" data-pay {...card}>
      {form && method === 'CreditCard' && <CardFields {...given} form={form} />}
      {form && method === 'ElectronicCheck' && <BankFields {...given} form={form} />}
      {form && <TestValues title="Test values" texts={texts} form={form} />}
      {method === 'Paypal' && (
        <EmailField
          hint={`Also: ${TEST_PAYPAL.slice(1)
            .map(({ email }) => email)
            .join(', ')}`}
        />
      )}
      <Button name="action" value={form ? 'fields' : 'approve'}>
        {form ? `Pay ${shownAmount(page)}` : 'Approve'}
      </Button>
      <p class="hint">{PATHS[method]}</p>
    </form>
  )
}

interface NamedProps {
  readonly buttons: NonNullable<ReturnType<typeof buttonsOf>>
  readonly session: string
}

/** The test values of a method by name are its buttons. */
function Named({ buttons, session }: NamedProps) {
  return (
    <form method="post" action={`/sandbox/pay/${session}`} class="pay-form buttons">
      {buttons.map(({ action, label }, place) => (
        <Button kind={place === 0 ? 'primary' : 'quiet'} name="action" value={action}>
          {label}
        </Button>
      ))}
    </form>
  )
}

function Declining({ session }: { readonly session: string }) {
  return (
    <form method="post" action={`/sandbox/pay/${session}`} class="pay-form">
      <Select
        id="reason"
        name="reason"
        label="Decline because of"
        options={DECLINE_REASONS.map((reason) => ({ value: reason, label: reason }))}
      />
      <Button kind="danger" name="action" value="decline">
        Decline
      </Button>
      <p class="hint">{BACK_TO_OPEN}</p>
    </form>
  )
}

function Crypto({ page, session }: Pick<PayPageProps, 'page' | 'session'>) {
  return (
    <>
      {page.addresses?.map(({ asset, network, address }) => (
        <section class="crypto">
          <h2>{`${asset} on ${network}`}</h2>
          <div class="crypto-pair">
            <Qr text={address} label={`QR code of the ${asset} address`} />
            <div>
              <code class="address">{address}</code>
              <Button kind="quiet" type="button" hidden data={{ 'data-copy': address }}>
                {ENGLISH.texts.common.copy}
              </Button>
            </div>
          </div>
        </section>
      ))}
      <form method="post" action={`/sandbox/pay/${session}`} class="pay-form buttons">
        {CRYPTO_BUTTONS.map(({ action, label }, place) => (
          <Button kind={place === 0 ? 'primary' : 'quiet'} name="action" value={action}>
            {label[0]?.toUpperCase() + label.slice(1)}
          </Button>
        ))}
        <p class="hint">{PATHS.Crypto}</p>
      </form>
    </>
  )
}

function ApprovalFaults({ session }: { readonly session: string }) {
  return (
    <details class="test-values">
      <summary>Approve, but something goes wrong</summary>
      <form method="post" action={`/sandbox/pay/${session}`}>
        <input type="hidden" name="action" value="approve" />
        <ul>
          {APPROVAL_FAULTS.map(({ name, label, description }) => (
            <li>
              <span class="muted">{description}</span>
              <Button kind="quiet" name="mishap" value={name}>
                {label}
              </Button>
            </li>
          ))}
        </ul>
      </form>
    </details>
  )
}

/** The payer at the imitated PayPal. The address selects the outcome. */
export const EmailField = ({ hint }: { readonly hint?: string }) => (
  <Field
    id="email"
    name="email"
    label="E-mail address"
    type="email"
    autoComplete="email"
    ltr
    maxLength={254}
    value="buyer@example.com"
    {...(hint ? { hint } : {})}
  />
)
