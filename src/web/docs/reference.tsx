import { type ApiDocument, type ApiOperation, operationsOf } from './document.ts'
import { membersOf } from './fields.ts'
import { type AssetPaths, docsHtml } from './layout.tsx'
import { FieldList, OperationSection } from './operation.tsx'
import { anchorOf, Prose } from './prose.tsx'

interface Group {
  readonly tag: string
  readonly operations: readonly ApiOperation[]
}

/** Merchant operations come first, independent of the order of registration. */
const ORDER = ['Payments', 'Customers', 'Test helpers', 'App', 'API keys', 'Provider profiles', 'Licences']

function groupsOf(document: ApiDocument): Group[] {
  const operations = operationsOf(document)
  const rank = (tag: string): number => (ORDER.includes(tag) ? ORDER.indexOf(tag) : ORDER.length)
  return document.tags
    .map(({ name: tag }) => ({ tag, operations: operations.filter(({ tags }) => tags.includes(tag)) }))
    .sort((a, b) => rank(a.tag) - rank(b.tag))
}

/** The whole reference is one page, so the browser's search covers it. */
export function referencePage(assets: AssetPaths, document: ApiDocument): string {
  const groups = groupsOf(document)
  return docsHtml(assets, {
    title: 'API reference',
    path: '/docs',
    aside: <Contents groups={groups} />,
    children: (
      <>
        <Prose text={document.info.description} />
        <p class="muted">Version {document.info.version}</p>
        <Credentials />
        {groups.map(({ tag, operations }) => (
          <section id={anchorOf(tag)}>
            <h2>{tag}</h2>
            {operations.map((operation) => (
              <OperationSection document={document} operation={operation} />
            ))}
          </section>
        ))}
        <Objects document={document} />
      </>
    ),
  })
}

function Contents({ groups }: { readonly groups: readonly Group[] }) {
  return (
    <nav class="contents" aria-label="Contents">
      <ul>
        {groups.map(({ tag, operations }) => (
          <li>
            <a class="tag" href={`#${anchorOf(tag)}`}>
              {tag}
            </a>
            <ul>
              {operations.map(({ operationId, summary }) => (
                <li>
                  <a href={`#${operationId}`}>{summary}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <a class="tag" href="#objects">
            Objects
          </a>
        </li>
      </ul>
    </nav>
  )
}

/** Shown by the script. The values stay in this page and are stored nowhere. */
function Credentials() {
  return (
    <form class="card credentials" id="credentials" hidden aria-label="Who is calling" autocomplete="off">
      <p>
        <strong>Try it.</strong> With these, every call below can be sent from this page. The key stays in
        this tab's memory and is gone with it.
      </p>
      <label>
        App ID
        <input name="appId" spellcheck={false} autocomplete="off" />
      </label>
      <label>
        API key
        <input name="token" type="password" spellcheck={false} autocomplete="off" />
      </label>
    </form>
  )
}

function Objects({ document }: { readonly document: ApiDocument }) {
  return (
    <section id="objects">
      <h2>Objects</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <section class="object" id={`object-${name}`}>
          <h3>{name}</h3>
          {schema.description && <Prose text={schema.description} />}
          <FieldList fields={membersOf(schema)} />
        </section>
      ))}
    </section>
  )
}
