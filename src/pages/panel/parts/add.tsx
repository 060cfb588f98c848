import { BankFields, CardFields, cardTexts, TestValues } from '../../checkout/parts/fields.tsx'
import { declineText } from '../../checkout/rules/declines.ts'
import type { Way } from '../../checkout/ways.ts'
import { Button, Hidden } from '../../ui/controls.tsx'
import { Notice } from '../../ui/layout.tsx'
import { MethodRow } from '../../ui/methods.tsx'
import { type Guest, nameOf } from '../session.ts'
import { BackLink } from './method.tsx'

export interface AddProps {
  readonly guest: Guest
  readonly ways: readonly Way[]
  readonly publicUrl: string
  /** The way that is open at first. */
  readonly chosen: string
  readonly problems: readonly string[]
  /** Why the last try kept nothing. */
  readonly declined: string | undefined
}

export function AddPage(props: AddProps) {
  const { guest, ways } = props
  const { panel } = guest.language.words
  return (
    <div class="panel add">
      <BackLink guest={guest} />
      <h1>{panel.addTitle}</h1>
      <NotSaved {...props} />
      {ways.length === 0 ? (
        <Notice kind="info" title={panel.noWay(guest.brand.name)} />
      ) : (
        <div class="ways">
          <fieldset>
            <legend class="visually-hidden">{panel.addTitle}</legend>
            {ways.map((way) => (
              <WayRow {...props} way={way} />
            ))}
          </fieldset>
        </div>
      )}
    </div>
  )
}

function NotSaved({ guest, declined, problems }: AddProps) {
  const { words } = guest.language
  const { panel } = words
  const reason = problems.includes('lost') ? 'processing-error' : declined
  if (reason === undefined) return null
  const why = reason === 'tries' ? panel.tooManyTries : declineText(words, reason, guest.brand.name)
  return (
    <Notice kind="bad" title={panel.notSaved}>
      <p>{why}</p>
      <p>{panel.nothingCharged}</p>
    </Notice>
  )
}

type WayProps = AddProps & { readonly way: Way }

function WayRow(props: WayProps) {
  const { guest, way, ways, chosen } = props
  const { words } = guest.language
  const { method } = way.offer
  return (
    <MethodRow
      id={`way-${way.id}`}
      name="method"
      kind={method}
      title={words.methods[method]}
      checked={chosen === way.id}
      alone={ways.length === 1}
      {...(way.fields ? {} : { detail: words.methods.onProviderPage })}
    >
      {way.fields ? <FieldsWay {...props} /> : <PageWay {...props} />}
    </MethodRow>
  )
}

/** The browser posts to the provider, which sends it back with a one-time token. */
function FieldsWay({ guest, way, publicUrl, chosen, problems }: WayProps) {
  const { words } = guest.language
  const { fields: form, offer } = way
  if (!form) return null
  const isCard = offer.method === 'CreditCard'
  const given = {
    words,
    form,
    problems: chosen === way.id ? problems : [],
    payerName: nameOf(guest),
    prefix: `f${way.id.replace('.', '-')}`,
  }
  const texts = isCard ? { 'data-card': cardTexts(words), 'data-brands': form.brands?.join() } : {}
  const back = `${publicUrl}/p/methods/add`
  return (
    <form class="pay-form" method="post" action={form.action} data-pay {...texts}>
      <Hidden values={{ ...form.hidden, back, _form: guest.formId, _way: way.id }} />
      {isCard ? <CardFields {...given} /> : <BankFields {...given} />}
      <TestValues title={isCard ? words.card.testCards : words.common.testValues} words={words} form={form} />
      {!isCard && <p class="small">{words.panel.amountsWillCome}</p>}
      <p class="small muted">{words.panel.consent(guest.brand.name)}</p>
      <Button busyText={words.buttons.working}>
        {isCard ? words.panel.saveCard : words.panel.saveAccount}
      </Button>
    </form>
  )
}

function PageWay({ guest, way }: WayProps) {
  const { words } = guest.language
  return (
    <form class="pay-form" method="post" action="/p/methods/new" data-pay>
      <Hidden values={{ form: guest.formId, way: way.id }} />
      <p class="small muted">{words.panel.consent(guest.brand.name)}</p>
      <Button busyText={words.buttons.working}>
        {words.buttons.continueTo(words.methods[way.offer.method])}
      </Button>
    </form>
  )
}
