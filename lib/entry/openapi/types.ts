import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  /** Of an object in a query: each member is a parameter of its own, `metadata[order_id]=17`. */
  readonly style?: 'deepObject';
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Content {
  readonly 'application/json': MediaType;
}

interface RequestBody {
  readonly description: string;
  readonly required: boolean;
  readonly content: Content;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** The security scheme. Empty if callers need no key. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** The scopes that the API key needs. Not in `security`, because only OAuth schemes have scopes there. */
  readonly 'x-scopes'?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** The possible answers, by HTTP status. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export type PathItem = Readonly<Partial<Record<'get' | 'post' | 'delete', Operation>>>;

/** The part of an OpenAPI 3.1 document that we write. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly externalDocs: { readonly url: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, Header>>;
  };
}
