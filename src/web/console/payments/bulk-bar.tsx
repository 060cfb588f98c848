import { Button } from '../../kit/html/controls.tsx'
import { Form } from '../../kit/html/forms.tsx'
import { addressQuery, readAddress } from './address.ts'
import { useRequest } from '../../kit/screen.tsx'

export const BULK_ACTIONS = ['capture', 'cancel', 'recheck'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** Shown while a payment is selected; always where the browser cannot tell. */
export function BulkBar() {
  const { texts, base, call } = useRequest()
  const { payments } = texts
  const query = addressQuery(readAddress(call.query))
  return (
    <Form action={`${base}/payments/bulk`} hidden={{ query }} class="bulk card" id="bulk">
      <label class="check" hidden data-select-all="payment">
        <input type="checkbox" autocomplete="off" />
        <span>{payments.selectAll}</span>
      </label>
      <p>{payments.withSelected}</p>
      <div class="buttons">
        {BULK_ACTIONS.map((action) => (
          <Button kind={action === 'cancel' ? 'danger' : 'quiet'} name="do" value={action}>
            {payments.bulk[action].button}
          </Button>
        ))}
        <Button kind="quiet" name="do" value="export" data={{ 'data-download': 'yes' }}>
          {payments.exportSelected}
        </Button>
      </div>
    </Form>
  )
}
