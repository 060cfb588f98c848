import { errorsMarkdown, statesMarkdown, testValuesMarkdown } from '../../reference/pages.ts'
import type { TestValues } from '../../reference/sheet.ts'
import {
  type ApiDocument,
  type ApiOperation,
  contentOf,
  operationsOf,
  type Parameter,
  refName,
} from './document.ts'
import { curlExample } from './example.ts'
import { markdownPath, SITE_PAGES } from './site/contents.ts'

/** The documentation as plain text for language models: an index, and one text with all of it. */

/** The form of https://llmstxt.org: a heading, a summary, sections of links. */
export function llmsIndex(document: ApiDocument): string {
  const [server] = document.servers
  const at = (path: string): string => `${server?.url ?? ''}${path}`
  const pages = [
    [`[All of this documentation as text](${at('/llms-full.txt')})`, 'every operation, error and state'],
    [`[OpenAPI document](${at('/openapi.json')})`, 'every operation with its schemas'],
    [`[API reference](${at('/docs')})`, 'with examples to try'],
    [`[Errors](${at('/docs/errors')})`, 'every code, and what to do'],
    [`[Payment states](${at('/docs/payment-states')})`, 'every state and transition'],
    [`[Test values](${at('/docs/test-values')})`, 'cards and accounts of the sandbox'],
  ]
  const guides = SITE_PAGES.flatMap(({ path, title, description, file, isGenerated }) =>
    file && !isGenerated
      ? [`- [${title}](${at(markdownPath(file))}): ${description} [Page](${at(path)})`]
      : [],
  )
  return [
    introduction(document),
    section('Documentation', pages.map(([link, what]) => `- ${link}: ${what}`).join('\n')),
    section('Guides, as Markdown', guides.join('\n')),
    ...byTag(document).map(([tag, operations]) =>
      section(tag, operations.map((operation) => `- ${lineOf(operation)}`).join('\n')),
    ),
    '',
  ].join('\n\n')
}

export function llmsFull(document: ApiDocument, testValues: TestValues): string {
  return [
    introduction(document),
    ...byTag(document).map(([tag, operations]) =>
      section(tag, operations.map((operation) => operationText(document, operation)).join('\n\n')),
    ),
    ...[errorsMarkdown(), statesMarkdown(), testValuesMarkdown(testValues)].map(nested),
  ].join('\n\n')
}

const introduction = ({ info }: ApiDocument): string =>
  [`# ${info.title}`, `> Version ${info.version}. ${info.description}`].join('\n\n')

const section = (title: string, text: string): string => `## ${title}\n\n${text}`

function byTag(document: ApiDocument): [tag: string, operations: ApiOperation[]][] {
  const operations = operationsOf(document)
  return document.tags
    .map(({ name }): [string, ApiOperation[]] => [name, operations.filter(({ tags }) => tags.includes(name))])
    .filter(([, found]) => found.length > 0)
}

const lineOf = ({ method, path, summary }: ApiOperation): string => `\`${method} ${path}\`: ${summary}`

function operationText(document: ApiDocument, operation: ApiOperation): string {
  const { method, path, summary, description, parameters = [], responses } = operation
  const answers = Object.entries(responses).map(([status, { description: what, content }]) => {
    const schema = contentOf(content)?.schema
    const name = schema && refName(schema)
    return `- ${status}: ${what}${name ? ` (\`${name}\` in the OpenAPI document)` : ''}`
  })
  return [
    `### ${method} ${path}`,
    `${summary}.${description ? ` ${description}` : ''}`,
    ...(parameters.length > 0 ? [parameters.map(parameterLine).join('\n')] : []),
    `\`\`\`sh\n${curlExample(document, operation)}\n\`\`\``,
    answers.join('\n'),
  ].join('\n\n')
}

const parameterLine = ({ name, in: where, required, description = '' }: Parameter): string =>
  `- \`${name}\` (${where}${required ? '' : ', optional'})${description ? `: ${description}` : ''}`

/** A page of its own as a section: each heading one level deeper, without the note of its generator. */
const nested = (page: string): string => page.replace(/^#/gm, '##').replace(/^<!--.*-->\n\n/m, '')
