import { type Input, type JsonSchema, type Model, referenced, type SdkMethod } from './model.ts'
import { COLUMNS, capital, inLines, wrapped } from './text.ts'

const FOLDER = 'packages/php/src/generated'
const HEAD = `<?php

// Generated from the OpenAPI document by \`npm run docs\`. Do not edit.

declare(strict_types=1);

namespace TenderPay\\Generated;
`

/** The generated files of the PHP client: a class for each resource, and types as PHPStan reads them. */
export function phpSources(model: Model): Record<string, string> {
  const classes = [...model.resources].map(([resource, methods]) => [
    `${FOLDER}/${capital(resource)}.php`,
    resourceText(resource, methods, model),
  ])
  return {
    ...Object.fromEntries(classes),
    [`${FOLDER}/Decimals.php`]: decimalsText(model),
    [`${FOLDER}/Resources.php`]: allText(model),
    [`${FOLDER}/Types.php`]: typesText(model),
  }
}

function decimalsText({ decimals }: Model): string {
  const names = [...decimals].map((name) => `        '${name}' => true,\n`).join('')
  const about = '/** Members that are decimals, whole ones too. */'
  return `${HEAD}\n${about}\nfinal class Decimals\n{\n    public const NAMES = [\n${names}    ];\n}\n`
}

function allText({ resources }: Model): string {
  const names = [...resources.keys()]
  const members = names.map((name) => `    public readonly ${capital(name)} $${name};\n`).join('')
  const made = names.map((name) => `        $this->${name} = new ${capital(name)}($send);\n`).join('')
  const start = '    /** @internal */\n    public function __construct(Sender $send)\n    {\n'
  return `${HEAD}
use TenderPay\\Sender;

/** Every operation of the API, by resource. */
abstract class Resources
{
${members}
${start}${made}    }
}
`
}

function typesText(model: Model): string {
  const types = [...model.types].map(
    ([name, schema]) => ` * @phpstan-type ${name} ${typeOf(schema, { model, root: name }, '')}\n`,
  )
  return `${HEAD}\n/**\n * The types of the API.\n *\n${types.join('')} */\nfinal class Types\n{\n}\n`
}

interface Place {
  readonly model: Model
  /** The type of the document that is being declared. */
  readonly root: string
}

const typeOf = (schema: JsonSchema, place: Place, key: string, indent = ' * '): string =>
  [...new Set(alternatives(schema, place, key, indent))].join('|')

function alternatives(schema: JsonSchema, place: Place, key: string, indent: string): string[] {
  if (schema.$ref) return [referenced(schema)]
  if ('const' in schema) return [literal(schema.const)]
  if (schema.enum) return schema.enum.map(literal)
  if (schema.anyOf) return schema.anyOf.flatMap((one) => alternatives(one, place, key, indent))
  if (schema.type === 'array') return [`list<${typeOf(schema.items ?? {}, place, key, indent)}>`]
  if (schema.type === 'number') return numberTypes(place, key)
  if (schema.type === 'object') return [shape(schema, place, key, indent)]
  return [PRIMITIVES[schema.type ?? ''] ?? 'mixed']
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  boolean: 'bool',
  null: 'null',
}

/** Answers have decimals as text; what is sent may be whole. */
function numberTypes({ model, root }: Place, key: string): string[] {
  if (root === '') return ['int', 'numeric-string']
  return model.decimals.has(key) && !model.inputs.has(root)
    ? ['numeric-string']
    : ['int', '\\TenderPay\\Decimal']
}

function shape(schema: JsonSchema, place: Place, key: string, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.entries(properties)
  if (members.length === 0) {
    const open = typeof additionalProperties === 'object' ? additionalProperties : undefined
    return `array<string, ${open ? typeOf(open, place, key, indent) : 'mixed'}>`
  }
  const inner = `${indent}  `
  const lines = members.map(([name, member]) => {
    const isOptional = !required.includes(name)
    return `${inner}${name}${isOptional ? '?' : ''}: ${typeOf(member, place, name, inner)},\n`
  })
  return `array{\n${lines.join('')}${indent}}`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)

function resourceText(resource: string, methods: readonly SdkMethod[], model: Model): string {
  const imported = new Set(methods.flatMap(usedTypes))
  const imports = [...imported].map((name) => ` * @phpstan-import-type ${name} from Types\n`).join('')
  const lists = methods.some(({ isPaged }) => isPaged) ? 'use TenderPay\\ResultList;\n' : ''
  const files = methods.some(({ isFile }) => isFile) ? 'use TenderPay\\File;\n' : ''
  const texts = methods.map((method) => methodText(method, model))
  return `${HEAD}
use TenderPay\\CallOptions;
${files}${lists}use TenderPay\\Sender;

/**
${imports} */
final class ${capital(resource)}
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

${texts.join('\n')}}
`
}

const namesIn = (schema: JsonSchema): string[] =>
  schema.$ref
    ? [referenced(schema)]
    : [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap(namesIn)

const usedTypes = ({ body, query, result }: SdkMethod): string[] =>
  [body?.schema, query?.schema, result].flatMap((schema) => (schema ? namesIn(schema) : []))

function methodText(method: SdkMethod, model: Model): string {
  const { name, verb, path, ids, body, query, result, isPaged, isFile } = method
  const type = result && typeOf(result, { model, root: '' }, '')
  const values = [
    ...(isPaged || isFile ? [] : [`'${verb}'`]),
    `'${path}'`,
    ...(ids.length > 0 ? [`[${ids.map((id) => `$${id}`).join(', ')}]`] : []),
    ...(body ? ['body: $body'] : []),
    ...(query ? ['query: $query'] : []),
    'options: $options',
  ]
  const head = inLines(
    `    public function ${name}(`,
    [
      ...ids.map((id) => `string|int $${id}`),
      ...parameter('body', body),
      ...parameter('query', query),
      '?CallOptions $options = null',
    ],
    `): ${isPaged ? 'ResultList' : isFile ? 'File' : nativeType(type)}`,
  )
  const via = isPaged ? 'list' : isFile ? 'file' : 'call'
  const call = inLines(`        ${result || isFile ? 'return ' : ''}$this->send->${via}(`, values, ');')
  return `${documentation(method, model, type)}${head}\n    {\n${call}\n    }\n`
}

function parameter(name: string, input: Input | undefined): string[] {
  if (!input) return []
  const type = input.schema.format === 'binary' ? 'string' : 'array'
  return [input.isRequired ? `${type} $${name}` : `?${type} $${name} = null`]
}

const ARRAY = /^(?:list<.*>|array<.*>|[A-Z]\w+)(\|null)?$/

function nativeType(type: string | undefined): string {
  if (type === undefined) return 'void'
  if (type === 'string' || type === 'bool') return type
  const found = ARRAY.exec(type)
  if (!found) return 'mixed'
  return found[1] ? '?array' : 'array'
}

function documentation({ summary, body, query, isPaged }: SdkMethod, model: Model, type: string | undefined) {
  const line = (text: string) => wrapped(text.replaceAll('*/', '* /').split(/\s+/), '     * ').join('\n')
  const inputs = [
    ['body', body],
    ['query', query],
  ] as const
  const given = inputs.flatMap(([name, input]) => {
    if (!input) return []
    const own = typeOf(input.schema, { model, root: '' }, '')
    return [`     * @param ${input.isRequired || own.includes('|') ? own : `?${own}`} $${name}`]
  })
  const answer = type ? [`     * @return ${isPaged ? `ResultList<${type}>` : type}`] : []
  const oneLine = `    /** ${summary} */\n`
  if (given.length + answer.length === 0 && oneLine.length <= COLUMNS) return oneLine
  return `    /**\n${[line(summary), '     *', ...given, ...answer].join('\n')}\n     */\n`
}
