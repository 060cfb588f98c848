import type { OpenApiDocument } from '../../http/openapi.ts'

/** The parts of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Schemas
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>
  }
}

interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, ResponseObject>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, MediaType>>

interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, unknown>>
}

interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string }>>
  readonly content?: Content
}

type Schemas = Readonly<Record<string, Schema>>

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly properties?: Schemas
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly default?: unknown
}

/** One API operation with its documentation. */
export interface ApiOperation extends OperationObject {
  readonly method: string
  readonly path: string
}

/** openApi() returns this shape, typed as plain JSON. */
export const readDocument = (document: OpenApiDocument): ApiDocument => document as unknown as ApiDocument

export function operationsOf({ paths }: ApiDocument): ApiOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

export const refName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

/** The content of a request or response body: no route has more than one. */
export const contentOf = (content: Content | undefined): MediaType | undefined =>
  content && Object.values(content)[0]
