import type { MethodOption } from '../../checkout/method-options.ts'
import { pageNameOf } from '../../checkout/parts/methods.tsx'
import { declineText } from '../../checkout/rules/declines.ts'
import { Button, Hidden } from '../../kit/html/controls.tsx'
import { BankFields, CardFields, cardTexts, TestValues } from '../../kit/html/fields.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { MethodRow } from '../../kit/html/methods.tsx'
import { nameOf, type PanelVisitor } from '../session.ts'
import { BackLink } from './method.tsx'

export interface AddProps {
  readonly visitor: PanelVisitor
  readonly options: readonly MethodOption[]
  readonly publicUrl: string
  /** Id of the option that is expanded initially. */
  readonly chosen: string
  readonly problems: readonly string[]
  /** Decline reason of the last try. */
  readonly declined: string | undefined
}

export function AddPage(props: AddProps) {
  const { visitor, options } = props
  const { panel } = visitor.language.texts
  return (
    <div class="panel add">
      <BackLink visitor={visitor} />
      <h1>{panel.addTitle}</h1>
      <NotSaved {...props} />
      {options.length === 0 ? (
        <Notice kind="info" title={panel.noWay({ merchant: visitor.brand.name })} />
      ) : (
        <div class="ways">
          <fieldset>
            <legend class="visually-hidden">{panel.addTitle}</legend>
            {options.map((option) => (
              <OptionRow {...props} option={option} />
            ))}
          </fieldset>
        </div>
      )}
    </div>
  )
}

function NotSaved({ visitor, declined, problems }: AddProps) {
  const { texts } = visitor.language
  const { panel } = texts
  const reason = problems.includes('lost') ? 'processing-error' : declined
  if (reason === undefined) return null
  const why = reason === 'tries' ? panel.tooManyTries : declineText(texts, reason, visitor.brand.name)
  return (
    <Notice kind="bad" title={panel.notSaved}>
      <p>{why}</p>
      <p>{panel.nothingCharged}</p>
    </Notice>
  )
}

type OptionProps = AddProps & { readonly option: MethodOption }

function OptionRow(props: OptionProps) {
  const { visitor, option, options, chosen } = props
  const { texts } = visitor.language
  const { method } = option.offer
  return (
    <MethodRow
      id={`way-${option.id}`}
      name="method"
      kind={method}
      title={texts.methods[method]}
      checked={chosen === option.id}
      alone={options.length === 1}
      {...(option.fields
        ? {}
        : { detail: texts.methods.onProviderPage({ provider: pageNameOf(option, texts) }) })}
    >
      {option.fields ? <FieldsOption {...props} /> : <RedirectOption {...props} />}
    </MethodRow>
  )
}

/** The browser posts to the provider, which redirects back with a one-time token. */
function FieldsOption({ visitor, option, publicUrl, chosen, problems }: OptionProps) {
  const { texts } = visitor.language
  const { fields: form, offer } = option
  if (!form) return null
  const isCard = offer.method === 'CreditCard'
  const given = {
    texts,
    form,
    problems: chosen === option.id ? problems : [],
    payerName: nameOf(visitor),
    prefix: `f${option.id.replace('.', '-')}`,
  }
  const cardData = isCard ? { 'data-card': cardTexts(texts), 'data-brands': form.brands?.join() } : {}
  const back = `${publicUrl}/p/methods/add`
  return (
    <form class="pay-form" method="post" action={form.action} data-pay {...cardData}>
      <Hidden values={{ ...form.hidden, back, _form: visitor.formId, _way: option.id }} />
      {isCard ? <CardFields {...given} /> : <BankFields {...given} />}
      <TestValues title={isCard ? texts.card.testCards : texts.common.testValues} texts={texts} form={form} />
      {!isCard && <p class="small">{texts.panel.amountsWillCome}</p>}
      <p class="small muted">{texts.panel.consent({ merchant: visitor.brand.name })}</p>
      <Button busyText={texts.buttons.working}>
        {isCard ? texts.panel.saveCard : texts.panel.saveAccount}
      </Button>
    </form>
  )
}

function RedirectOption({ visitor, option }: OptionProps) {
  const { texts } = visitor.language
  return (
    <form class="pay-form" method="post" action="/p/methods/new" data-pay>
      <Hidden values={{ form: visitor.formId, way: option.id }} />
      <p class="small muted">{texts.panel.consent({ merchant: visitor.brand.name })}</p>
      <Button busyText={texts.buttons.working}>
        {texts.buttons.continueTo({ provider: pageNameOf(option, texts) })}
      </Button>
    </form>
  )
}
