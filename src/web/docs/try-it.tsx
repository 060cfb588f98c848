import type { ApiDocument, ApiOperation, Parameter } from './document.ts'
import { pretty, requestExample, schemeOf } from './example.ts'
import { fieldOf } from './fields.ts'

const KEY_NOTES: Readonly<Record<string, string>> = {
  operatorToken: 'Put the OPERATOR_TOKEN into the field for the API key.',
  licenseCode: "Put the licence's authorizationCode into the field for the API key.",
}

/** A form that the script shows and sends. App ID and key come from the credentials form. */
export function TryIt({
  document,
  operation,
}: {
  readonly document: ApiDocument
  readonly operation: ApiOperation
}) {
  const { method, path, parameters = [], summary } = operation
  const scheme = schemeOf(operation)
  const note = scheme && KEY_NOTES[scheme]
  const body = operation.requestBody && (requestExample(document, operation) ?? {})
  return (
    <details class="try" hidden>
      <summary>
        <h4>Try it</h4>
      </summary>
      <form
        aria-label={`Try: ${summary}`}
        data-method={method}
        data-path={path}
        data-auth={scheme}
        autocomplete="off"
      >
        {note && <p class="muted">{note}</p>}
        {parameters
          .filter(({ name }) => name !== 'appId')
          .map((parameter) => (
            <ParameterInput parameter={parameter} />
          ))}
        {body !== undefined && (
          <label>
            Body
            <textarea name="body" rows={lines(pretty(body))} spellcheck={false}>
              {pretty(body)}
            </textarea>
          </label>
        )}
        <button type="submit">Send</button>
        <output />
      </form>
    </details>
  )
}

const lines = (text: string): number => Math.min(text.split('\n').length, 16)

function ParameterInput({ parameter }: { readonly parameter: Parameter }) {
  const { name, required, schema } = parameter
  const field = `${parameter.in}.${name}`
  const values = fieldOf('', schema, false).values
  if (values.length === 0)
    return (
      <label>
        {name}
        <input name={field} required={required} spellcheck={false} autocomplete="off" />
      </label>
    )
  return (
    <label>
      {name}
      <select name={field} required={required}>
        <option value="">any</option>
        {values.map((value) => (
          <option>{value}</option>
        ))}
      </select>
    </label>
  )
}
