import { type Input, type JsonSchema, type Model, referenced, type SdkMethod } from './model.ts'
import { COLUMNS, capital, inLines, wrapped } from './text.ts'

const FOLDER = 'packages/python/src/tender_pay/generated'
const GENERATED = '# Generated from the OpenAPI document by `npm run docs`. Do not edit.\n'

/** Types of the standard library only; `NotRequired` is newer than the oldest version that is supported. */
const TYPES_HEAD = `${GENERATED}from __future__ import annotations

import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
`
const RESOURCES_HEAD = `${GENERATED}# mypy: disable-error-code=no-any-return
from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional, Union

from .._send import CallOptions, File, Id, ResultList, Sender
from . import types as t
`

/** The generated files of the Python client. */
export function pythonSources(model: Model): Record<string, string> {
  const classes = new Map<string, string>()
  for (const [name, schema] of model.types) declare(name, schema, { model, root: name, prefix: '', classes })
  const decimals = [...model.decimals].map((name) => `    "${name}",\n`).join('')
  const about = '# Members that are decimals, whole ones too.\n'
  return {
    [`${FOLDER}/__init__.py`]: GENERATED,
    [`${FOLDER}/decimals.py`]: `${GENERATED}\n${about}DECIMALS = frozenset([\n${decimals}])\n`,
    [`${FOLDER}/types.py`]: `${TYPES_HEAD}\n\n${[...classes.values()].join('\n\n')}`,
    [`${FOLDER}/resources.py`]: `${RESOURCES_HEAD}\n\n${resourcesText(model)}`,
  }
}

interface Place {
  readonly model: Model
  /** The type of the document that is being declared. */
  readonly root: string
  /** Before the names of types, where they are used. */
  readonly prefix: string
  /** Every class by its name; objects inside of others become classes of their own. */
  readonly classes: Map<string, string>
}

function declare(name: string, schema: JsonSchema, place: Place): void {
  // The order of the document is kept: a class stands before those of its members.
  place.classes.set(name, '')
  const { properties = {}, required = [] } = schema
  const members = Object.entries(properties).map(([key, member]) => {
    const type = typeOf(member, place, { owner: name, key })
    return { key, about: member.description, type: required.includes(key) ? type : `NotRequired[${type}]` }
  })
  const isPlain = members.every(({ key }) => !KEYWORDS.has(key))
  place.classes.set(name, isPlain ? classText(name, schema, members) : callText(name, members))
}

interface Member {
  readonly key: string
  readonly about: string | undefined
  readonly type: string
}

/** Names that cannot be members of a class. */
const KEYWORDS = new Set(['class', 'def', 'from', 'global', 'import', 'in', 'is', 'not', 'pass', 'with'])

function classText(name: string, { description }: JsonSchema, members: readonly Member[]): string {
  const lines = members.map(({ key, about, type }) => `${note(about)}    ${key}: ${type}\n`)
  return `class ${name}(TypedDict):\n${docstring(description, '    ')}${lines.join('')}`
}

const callText = (name: string, members: readonly Member[]): string => {
  const lines = members.map(
    ({ key, about, type }) => `${note(about)}    "${key}": ${JSON.stringify(type)},\n`,
  )
  return `${name} = TypedDict("${name}", {\n${lines.join('')}})\n`
}

const note = (text: string | undefined): string =>
  text ? `${wrapped(text.split(/\s+/), '    # ').join('\n')}\n` : ''

function docstring(text: string | undefined, indent: string): string {
  if (!text) return ''
  const words = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split(/\s+/)
  const line = `${indent}"""${words.join(' ')}"""\n`
  if (line.length <= COLUMNS + 1 && !words.at(-1)?.endsWith('"')) return line
  return `${indent}"""\n${wrapped(words, indent)
    .map((one) => indent + one.trimStart())
    .join('\n')}\n${indent}"""\n`
}

interface Owner {
  readonly owner: string
  readonly key: string
}

const typeOf = (schema: JsonSchema, place: Place, owner: Owner): string =>
  union(alternatives(schema, place, owner))

function alternatives(schema: JsonSchema, place: Place, owner: Owner): string[] {
  if (schema.$ref) return [place.prefix + referenced(schema)]
  if (schema.anyOf) return schema.anyOf.flatMap((one) => alternatives(one, place, owner))
  if (schema.type === 'array') return [`List[${typeOf(schema.items ?? {}, place, owner)}]`]
  if (schema.type === 'number') return numberTypes(place, owner.key)
  return [schema.type === 'object' ? objectType(schema, place, owner) : simpleType(schema)]
}

/** Answers have decimals only; what is sent may be whole. */
const numberTypes = ({ model, root }: Place, key: string): string[] =>
  model.decimals.has(key) && !model.inputs.has(root) ? ['Decimal'] : ['int', 'Decimal']

function objectType(schema: JsonSchema, place: Place, { owner, key }: Owner): string {
  const { properties, additionalProperties } = schema
  if (!properties || Object.keys(properties).length === 0) {
    const open = typeof additionalProperties === 'object' ? additionalProperties : undefined
    return `Dict[str, ${open ? typeOf(open, place, { owner, key }) : 'Any'}]`
  }
  let name = owner + capital(key)
  while (place.classes.has(name) || place.model.types.has(name)) name += 'Value'
  declare(name, schema, place)
  return name
}

function simpleType(schema: JsonSchema): string {
  if ('const' in schema) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
  if (schema.format === 'binary') return 'bytes'
  return PRIMITIVES[schema.type ?? ''] ?? 'Any'
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

const CONSTANTS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])
const literal = (value: unknown): string => CONSTANTS.get(value) ?? JSON.stringify(value)

function union(types: readonly string[]): string {
  const isText = types.includes('str')
  const all = [...new Set(types)].filter((type) => !(isText && type.startsWith('Literal["')))
  const [only = 'None', ...others] = all.filter((type) => type !== 'None')
  const whole = others.length === 0 ? only : `Union[${[only, ...others].join(', ')}]`
  return all.includes('None') && only !== 'None' ? `Optional[${whole}]` : whole
}

function resourcesText(model: Model): string {
  const classes = [...model.resources].map(([resource, methods]) => {
    const texts = methods.map((method) => methodText(method, model))
    const start = '    def __init__(self, send: Sender) -> None:\n        self._send = send\n'
    return `class ${capital(resource)}:\n${start}\n${texts.join('\n')}`
  })
  const all = [...model.resources.keys()].map(
    (name) => `        self.${snake(name)} = ${capital(name)}(send)\n`,
  )
  const about = '    """Every operation of the API, by resource."""\n\n'
  const start = '    def __init__(self, send: Sender) -> None:\n'
  return `${classes.join('\n\n')}\n\nclass Resources:\n${about}${start}${all.join('')}`
}

function methodText(method: SdkMethod, model: Model): string {
  const { name, verb, path, summary, ids, body, query, result, isPaged, isFile } = method
  const place: Place = { model, root: '', prefix: 't.', classes: new Map() }
  const used = (schema: JsonSchema): string => typeOf(schema, place, { owner: '', key: '' })
  const given = (what: string, input: Input | undefined) =>
    input
      ? [`${what}: ${input.isRequired ? used(input.schema) : `Optional[${used(input.schema)}] = None`}`]
      : []
  const type = isFile ? 'File' : result ? used(result) : 'None'
  const head = inLines(
    `    def ${snake(name)}(`,
    [
      'self',
      ...ids.map((id) => `${snake(id)}: Id`),
      ...given('body', body),
      ...given('query', query),
      'options: Optional[CallOptions] = None',
    ],
    `) -> ${isPaged ? `ResultList[${type}]` : type}:`,
  )
  const values = [
    ...(isPaged || isFile ? [] : [`"${verb}"`]),
    `"${path}"`,
    `[${ids.map(snake).join(', ')}]`,
    ...(body ? ['body=body'] : []),
    ...(query ? ['query=query'] : []),
    'options=options',
  ]
  const call = inLines(
    `        return self._send.${isPaged ? 'list' : isFile ? 'file' : 'call'}(`,
    values,
    ')',
  )
  return `${head}\n${docstring(summary, '        ')}${call}\n`
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
