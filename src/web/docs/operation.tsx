import { ERRORS, type ErrorCode } from '../../base/errors.ts'
import { type ApiDocument, type ApiOperation, contentOf, type Parameter, type Schema } from './document.ts'
import { answerExample, curlExample, pretty, schemeOf } from './example.ts'
import { type Field, fieldOf, membersOf } from './fields.ts'
import { InlineText, Prose } from './prose.tsx'
import { TryIt } from './try-it.tsx'

interface Shown {
  readonly document: ApiDocument
  readonly operation: ApiOperation
}

export function OperationSection({ document, operation }: Shown) {
  const { operationId, summary, description, method, path } = operation
  const scheme = schemeOf(operation)
  return (
    <article class="operation" id={operationId} aria-labelledby={`${operationId}-name`}>
      <div>
        <h3 id={`${operationId}-name`}>
          <a href={`#${operationId}`}>{summary}</a>
        </h3>
        <p class="call">
          <span class={`method ${method.toLowerCase()}`}>{method}</span> <Path path={path} />
        </p>
        {description && <Prose text={description} />}
        <p class="muted">
          {scheme ? (document.components.securitySchemes[scheme]?.description ?? '') : 'No authentication.'}
        </p>
        <Parameters operation={operation} />
        <Body operation={operation} />
        <Answers operation={operation} />
        <Refusals operation={operation} />
      </div>
      <div class="side">
        <Examples document={document} operation={operation} />
        <TryIt document={document} operation={operation} />
      </div>
    </article>
  )
}

/** Allows a line break after each slash. */
function Path({ path }: { readonly path: string }) {
  return (
    <code>
      {path.split('/').map((part, index) => (
        <>
          {index > 0 && '/'}
          <wbr />
          {part}
        </>
      ))}
    </code>
  )
}

const parameterField = ({ name, schema, required, description }: Parameter): Field =>
  fieldOf(name, { ...schema, ...(description ? { description } : {}) }, required)

function Parameters({ operation: { parameters = [] } }: { readonly operation: ApiOperation }) {
  const groups = [
    ['Path', parameters.filter((one) => one.in === 'path')],
    ['Query', parameters.filter((one) => one.in === 'query')],
  ] as const
  return (
    <>
      {groups.map(
        ([title, some]) =>
          some.length > 0 && (
            <>
              <h4>{title}</h4>
              <FieldList fields={some.map(parameterField)} />
            </>
          ),
      )}
    </>
  )
}

function Body({ operation }: { readonly operation: ApiOperation }) {
  const content = contentOf(operation.requestBody?.content)
  if (!content) return null
  return (
    <>
      <h4>Body</h4>
      {content.schema ? <Shape schema={content.schema} /> : <p>The bytes as the provider sends them.</p>}
    </>
  )
}

/** The members, or a link to the named object. */
function Shape({ schema }: { readonly schema: Schema }) {
  const { type, ref, members } = fieldOf('', schema, true)
  if (!ref && members.length > 0 && !schema.items) return <FieldList fields={members} />
  return (
    <>
      <p>
        <TypeName type={type} reference={ref} />
      </p>
      <FieldList fields={schema.items ? membersOf(schema.items) : []} />
    </>
  )
}

function TypeName({ type, reference }: { readonly type: string; readonly reference: string | undefined }) {
  if (!reference) return <>{type}</>
  const [before, after] = type.split(reference)
  return (
    <>
      {before}
      <a href={`#object-${reference}`}>{reference}</a>
      {after}
    </>
  )
}

export function FieldList({ fields }: { readonly fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    <ul class="fields">
      {fields.map(({ name, type, ref, required, description, values, members }) => (
        <li>
          <code class="name">{name}</code>{' '}
          <span class="type">
            <TypeName type={type} reference={ref} />
          </span>
          {required && <span class="required">required</span>}
          {description && (
            <p>
              <InlineText text={description} />
            </p>
          )}
          {values.length > 0 && (
            <p class="values">
              {values.map((value) => (
                <>
                  <code>{value}</code>{' '}
                </>
              ))}
            </p>
          )}
          <FieldList fields={members} />
        </li>
      ))}
    </ul>
  )
}

function Answers({ operation }: { readonly operation: ApiOperation }) {
  const successes = Object.entries(operation.responses).filter(([status]) => status < '400')
  return (
    <>
      {successes.map(([status, { content, headers = {} }]) => {
        const schema = contentOf(content)?.schema
        return (
          <>
            <h4>Answer {status}</h4>
            {schema ? <Shape schema={schema} /> : <p class="muted">No members are promised.</p>}
            {Object.entries(headers).map(([name, { description }]) => (
              <p>
                <code>{name}</code> {description}
              </p>
            ))}
          </>
        )
      })}
    </>
  )
}

const isCode = (code: string): code is ErrorCode => code in ERRORS

function Refusals({ operation }: { readonly operation: ApiOperation }) {
  const codes = Object.values(operation.responses)
    .flatMap(({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}))
    .filter(isCode)
  if (codes.length === 0) return null
  return (
    <details>
      <summary>
        <h4>Errors</h4> <span class="muted">{codes.length}</span>
      </summary>
      <ul class="fields">
        {codes.map((code) => (
          <li>
            <span class="status">{ERRORS[code].status}</span>{' '}
            <a class="name" href={`/docs/errors#${code}`}>
              <code>{code}</code>
            </a>
            <p>
              <InlineText text={ERRORS[code].help} />
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Examples({ document, operation }: Shown) {
  const answer = answerExample(document, operation)
  return (
    <>
      <Code title="Request" text={curlExample(document, operation)} name={operation.summary} />
      {answer !== undefined && <Code title="Answer" text={pretty(answer)} name={operation.summary} />}
    </>
  )
}

function Code({ title, text, name }: Readonly<Record<'title' | 'text' | 'name', string>>) {
  return (
    <>
      <h4>{title}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard focus */}
      <section class="code" tabIndex={0} aria-label={`${title}: ${name}`}>
        <pre>{text}</pre>
      </section>
    </>
  )
}
