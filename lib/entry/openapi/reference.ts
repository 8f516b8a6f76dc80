import { isRecord } from '@/lib/platform/core/is-record';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { COMMON_HEADERS } from './headers';
import { type ExampleRequest, httpRequest, SAMPLES } from './samples';
import type { ApiResponse, Header, JsonSchema, OpenApiDocument, Operation, Parameter, PathItem } from './types';

interface ReferenceLanguage {
  readonly locale: Locale;
  /** Translates one line of the API description from English to the language `locale`. */
  readonly translateLine: (english: string) => string;
}

const ENGLISH: ReferenceLanguage = { locale: 'en', translateLine: (line) => line };

/** What the functions that write the API reference need: the API description, and the language of the API reference. */
interface ReferenceContext {
  readonly document: OpenApiDocument;
  /** The address of each object, by its name. */
  readonly objects: ReadonlyMap<string, string>;
  /** Translates a text of the API description to the language of the API reference. */
  readonly translate: (english: string) => string;
  /** Returns a text that is not in the API description, for example the heading of a column. */
  readonly t: ReturnType<typeof translator<'ApiReference'>>;
}

function referenceContext(document: OpenApiDocument, groups: readonly Group[], { locale, translateLine } = ENGLISH): ReferenceContext {
  const objects = groups.flatMap(({ name, objects: own }) => own.map((object) => [object, objectAddress(name, object)] as const));
  return {
    document,
    objects: new Map(objects),
    translate: (text) => text.replace(/[^\n]+/g, translateLine),
    t: translator(locale, 'ApiReference'),
  };
}

function objectAddress(group: string, object: string): string {
  return `${groupSlug(group)}.md#${anchorOf(object)}`;
}

interface ReferenceOptions {
  /** The language of the API reference; English if absent. */
  readonly language?: ReferenceLanguage;
  readonly errors?: ErrorTexts;
}

/** A page about the operations of one group, and about the objects that no earlier page describes. */
interface GroupPage {
  /** The name of the page, the same in every language, for example `api/bills`. */
  readonly slug: string;
  readonly markdown: string;
  /** The example requests of its operations by their request line, for example `POST /api/v3/bills/create`. */
  readonly requests: ReadonlyMap<string, ExampleRequest>;
}

export interface ApiReference {
  /** The Markdown of the overview, which follows the introduction of its page `api`. */
  readonly overview: string;
  readonly groups: readonly GroupPage[];
}

/** Returns the name of the page about a group of operations. */
export function groupSlug(tag: string): string {
  return `api/${tag.toLowerCase()}`;
}

/**
 * Renders the API description as Markdown (tables and fenced code, as on GitHub). The overview has a section of level 2 for each group, with
 * links to its operations and objects. The page of a group has a section of level 2 for each operation, and one of level 3 for each object.
 * Names and examples are the same in every language.
 */
export function renderReference(
  document: OpenApiDocument,
  { language, errors = { addressOf: () => null } }: ReferenceOptions = {},
): ApiReference {
  const { info, paths, webhooks, tags, components } = document;
  const described = [
    ...Object.entries(paths).flatMap(([path, item]) => withMethod(item, path)),
    ...Object.values(webhooks).flatMap((item) => withMethod(item, null)),
  ];
  const groups = groupsOf(document, described);
  const context = referenceContext(document, groups, language);
  const { t, translate } = context;
  const tables = errorTables(
    context,
    described.map(({ operation }) => operation),
    errors,
  );
  const pages = groups.map((group) => {
    const objects = group.objects.map((name) => {
      const schema = components.schemas[name] ?? {};
      const example = findExample(context, group.operations, name);
      return paragraphs(
        `### ${name}`,
        translate(schema.description ?? ''),
        memberTable(context, schema),
        example === undefined ? '' : fence(`json ${name}`, exampleJson(document, schema, example)),
      );
    });
    const markdown = paragraphs(
      `# ${translate(group.name)}`,
      translate(descriptionOf(group.name)),
      contents(context, group, { here: true }),
      ...group.operations.map((one) => renderOperation(context, one, tables.of(one.operation))),
      ...(objects.length === 0 ? [] : [`## ${t('objects')}`, ...objects]),
    );
    const requests = group.operations.flatMap(({ operation, method, path }) =>
      path === null || isInternal(operation) ? [] : [[`${method} ${path}`, exampleRequest(operation, method, path)] as const],
    );
    // Addresses of pages are relative to the overview.
    return { slug: groupSlug(group.name), markdown: `${markdown.replace(/\]\((?=[\w/-]+\.md)/g, '](../')}\n`, requests: new Map(requests) };
  });
  const overview = paragraphs(
    translate(info.description),
    ...groups.map((group) =>
      paragraphs(`## ${translate(group.name)}`, translate(descriptionOf(group.name)), contents(context, group, { here: false })),
    ),
    `## ${t('requestHeaders')}`,
    headerTable(context, Object.fromEntries(COMMON_HEADERS.map((header) => [header.name, header]))),
    `## ${t('answerHeaders')}`,
    headerTable(context, components.headers),
    tables.common,
  );
  return { overview: `${overview}\n`, groups: pages };

  function descriptionOf(name: string): string {
    return tags.find((tag) => tag.name === name)?.description ?? '';
  }
}

/** A group of operations, with the objects that their page describes. */
interface Group {
  readonly name: string;
  readonly operations: readonly Described[];
  readonly objects: readonly string[];
}

/** Returns the groups of operations. The first group whose requests or answers contain an object describes it. */
function groupsOf(document: OpenApiDocument, described: readonly Described[]): Group[] {
  const left = new Set(objectNames(document));
  return document.tags.map(({ name }) => {
    const operations = described.filter(({ operation }) => operation.tags.includes(name));
    const reached = new Set<string>();
    for (const { operation } of operations) collectComponents(document, operation, reached);
    const objects = [...left].filter((object) => reached.has(object));
    for (const object of objects) left.delete(object);
    return { name, operations, objects };
  });
}

/** Adds the names of all components to which a part of the description refers, directly or through others. */
function collectComponents(document: OpenApiDocument, part: unknown, names: Set<string>): void {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name)) continue;
    names.add(name);
    collectComponents(document, document.components.schemas[name], names);
  }
}

/** Returns the value of an object in the examples of some operations, or undefined if no example contains one. */
function findExample({ document }: ReferenceContext, operations: readonly Described[], name: string): unknown {
  for (const { operation } of operations) {
    for (const content of [operation.requestBody?.content, operation.responses[200]?.content]) {
      const media = content?.['application/json'];
      const found = media && find(media.schema, media.example);
      if (found !== undefined) return found;
    }
  }
  return undefined;

  function find(schema: JsonSchema | boolean | undefined, value: unknown): unknown {
    if (typeof schema !== 'object' || value === undefined || value === null) return undefined;
    const known = schemaFor(document, schema, value);
    if (known === document.components.schemas[name]) return value;
    const parts = Array.isArray(value)
      ? value.map((item) => find(Array.isArray(known.items) ? undefined : known.items, item))
      : isRecord(value)
        ? Object.entries(value).map(([member, inner]) => find(known.properties?.[member], inner))
        : [];
    return parts.find((part) => part !== undefined);
  }
}

function headerTable(context: ReferenceContext, headers: Readonly<Record<string, Header>>): string {
  const rows = Object.entries(headers).map(([name, { schema, description }]) => [
    `\`${name}\``,
    meaning(context, { ...schema, description }),
  ]);
  return table([context.t('header'), context.t('meaning')], rows);
}

/** Returns a table of the operations and objects of a group with links to their sections. @param here whether the table is on their page */
function contents({ t, translate }: ReferenceContext, { name, operations, objects }: Group, { here }: { readonly here: boolean }): string {
  const address = (heading: string) => `${here ? '' : `${groupSlug(name)}.md`}#${anchorOf(heading)}`;
  const rows = operations.map(({ operation, method, path }) => {
    const heading = translate(operation.summary);
    return [`[${heading}](${address(heading)})`, path === null ? t('webhook') : `\`${method} ${path}\``];
  });
  const links = objects.map((object) => `[${object}](${address(object)})`);
  return paragraphs(table([t('operation'), t('request')], rows), links.length === 0 ? '' : `${t('objects')}: ${links.join(', ')}`);
}

/** Returns the anchor of a heading, as GitHub forms it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

interface Described {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Null for a webhook, whose address the receiver chooses. */
  readonly path: string | null;
}

function withMethod({ get, post, delete: remove }: PathItem, path: string | null): Described[] {
  return [
    ...(get ? [{ operation: get, method: 'GET' as const, path }] : []),
    ...(post ? [{ operation: post, method: 'POST' as const, path }] : []),
    ...(remove ? [{ operation: remove, method: 'DELETE' as const, path }] : []),
  ];
}

function renderOperation(context: ReferenceContext, described: Described, errors: string): string {
  const { document, t, translate } = context;
  const { operation, method, path } = described;
  const { summary, description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const answer = responses[200];
  return paragraphs(
    `## ${translate(summary)}`,
    path === null ? '' : `\`${method} ${path}\``,
    translate(description),
    parameterTable(context, operation),
    body
      ? paragraphs(`**${t('body')}**`, translate(requestBody?.description ?? ''), memberTable(context, body.schema, { showRequired: true }))
      : '',
    path === null ? fence('json', exampleJson(document, body?.schema, body?.example)) : samples(context, described),
    answer ? renderAnswer(context, answer) : '',
    path === null ? webhookAnswers(context, operation) : errors,
  );
}

function parameterTable(context: ReferenceContext, { parameters = [] }: Operation): string {
  const { t } = context;
  const rows = parameters
    .filter(({ name }) => !COMMON_HEADERS.some((header) => header.name === name))
    .map(({ name, in: place, schema, required, description }) => [
      `\`${name}\``,
      t(`places.${place}`),
      typeText(context, schema, required),
      meaning(context, { ...schema, description }),
    ]);
  return rows.length === 0 ? '' : paragraphs(`**${t('parameters')}**`, table([t('name'), t('in'), t('type'), t('meaning')], rows));
}

function renderAnswer(context: ReferenceContext, { headers = {}, content }: ApiResponse): string {
  const { document, t } = context;
  const media = content?.['application/json'];
  if (!media) return '';
  const special = Object.keys(headers).filter((name) => name.startsWith('Bili-') || name.startsWith('Idempotency-'));
  const object = objectLink(context, media.schema);
  const status = object === null ? t('status200') : t('statusWithObject', { object });
  return paragraphs(
    `**${t('answer')}**`,
    special.length === 0 ? status : `${status} ${t('specialHeaders', { headers: codes(special) })}`,
    object === null ? memberTable(context, media.schema) : '',
    media.example === undefined ? '' : fence('json 200 OK', exampleJson(document, media.schema, media.example)),
  );
}

function webhookAnswers({ t, translate }: ReferenceContext, { responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description }]) => [status, translate(description)]);
  return paragraphs(`**${t('yourAnswer')}**`, table([t('status'), t('meaning')], rows));
}

/** Returns the parts that are not empty, as paragraphs. */
function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns a table of GitHub's Markdown; empty without rows. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function codes(texts: readonly unknown[]): string {
  return texts.map((text) => `\`${String(text)}\``).join(', ');
}

/** Matches the names of components that belong to one operation. They are shown in the section of that operation. */
const OF_OPERATION = /(?:Request|Response)$/;

/** Returns the names of the objects that have a section of their own. */
function objectNames({ components }: OpenApiDocument): string[] {
  return Object.entries(components.schemas).flatMap(([name, { properties }]) => (properties && !OF_OPERATION.test(name) ? [name] : []));
}

/**
 * Returns a link to the section of the object that the schema refers to. The schema may also allow null. Returns null if the schema does
 * not refer to an object that has a section.
 */
function objectLink({ objects }: ReferenceContext, { $ref, anyOf = [] }: JsonSchema): string | null {
  const [only, none] = anyOf;
  const target = only && none?.type === 'null' ? only.$ref : $ref;
  const name = target?.split('/').at(-1) ?? '';
  const address = objects.get(name);
  return address === undefined ? null : `[${name}](${address})`;
}

/** Returns a table of the members of an object. Names of members inside others are written with a dot: `customer.name`. */
function memberTable(context: ReferenceContext, schema: JsonSchema, { showRequired = false } = {}): string {
  const { t } = context;
  return table([t('member'), t('type'), t('meaning')], memberRows(context, schema, showRequired));
}

function memberRows(context: ReferenceContext, schema: JsonSchema, showRequired: boolean, prefix = ''): string[][] {
  const { document } = context;
  const { properties = {}, required = [] } = resolveSchema(document, schema).schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    if (typeof member === 'boolean') return [];
    const resolved = resolveSchema(document, member).schema;
    const row = [`\`${prefix}${name}\``, typeText(context, member, showRequired && required.includes(name)), meaning(context, resolved)];
    return [row, ...(objectLink(context, member) ? [] : memberRows(context, member, showRequired, `${prefix}${name}.`))];
  });
}

/** Returns the type of a schema in words. @param required whether to say that the value is required */
function typeText(context: ReferenceContext, schema: JsonSchema, required = false): string {
  const { document, t } = context;
  const { schema: resolved, nullable } = resolveSchema(document, schema);
  const { type, items, anyOf } = resolved;
  const alternatives = (schema.anyOf ?? anyOf ?? []).filter(({ type: one }) => one !== 'null').map((one) => typeText(context, one));
  const isList = type === 'array' && typeof items === 'object' && !Array.isArray(items);
  const list = isList ? t('arrayOf', { type: typeText(context, items) }) : undefined;
  const types = type === undefined ? [t('any')] : [type].flat();
  const named = objectLink(context, schema) ?? list;
  const texts = named !== undefined ? [named] : alternatives.length > 0 ? alternatives : types;
  const whole = [...new Set([...texts, ...(nullable ? ['null'] : [])])].join(` ${t('or')} `);
  return required ? `${whole} **${t('required')}**` : whole;
}

/** Returns the description of a schema with its values and limits. */
function meaning({ translate, t }: ReferenceContext, schema: JsonSchema): string {
  const { description = '', enum: closed, anyOf, const: only, minimum, maximum, maxLength, maxItems, default: fallback } = schema;
  const values = closed ?? anyOf?.find((one) => one.enum)?.enum;
  const named = values?.filter((value) => value !== null) ?? [];
  // Only the maximum of instants is larger than 1e12. The text leaves out that maximum, because readers do not need it.
  const limit = maximum !== undefined && maximum <= 1e12 ? maximum.toLocaleString('en') : undefined;
  const parts = [
    translate(description),
    only === undefined ? '' : t('always', { value: codes([only]) }),
    named.length > 0 ? t('oneOf', { values: codes(named) }) : '',
    maxLength === undefined ? '' : t('atMostCharacters', { count: String(maxLength) }),
    maxItems === undefined ? '' : t('atMostEntries', { count: String(maxItems) }),
    limit === undefined
      ? ''
      : minimum === undefined
        ? t('atMost', { maximum: limit })
        : t('between', { minimum: String(minimum), maximum: limit }),
    fallback === undefined ? '' : t('default', { value: codes([fallback]) }),
  ];
  return parts.filter((text) => text !== '').join(' ');
}

/**
 * Writes an example as indented JSON. Amounts get a decimal point, as in Bili's answers, because their schemas have the format "double".
 */
function exampleJson(document: OpenApiDocument, schema: JsonSchema | boolean | undefined, value: unknown, indent = ''): string {
  const known = typeof schema === 'object' ? schemaFor(document, schema, value) : {};
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = Array.isArray(known.items) ? undefined : known.items;
    const list = value.map((item) => inner + exampleJson(document, items, item, inner));
    return list.length === 0 ? '[]' : `[\n${list.join(',\n')}\n${indent}]`;
  }
  if (isRecord(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${exampleJson(document, known.properties?.[name], member, inner)}`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  if (known.format === 'double' && Number.isInteger(value)) return `${String(value)}.0`;
  return JSON.stringify(value);
}

/** Returns the schema of a value. If the schema has alternatives, returns the first one that has all members of the value. */
function schemaFor(document: OpenApiDocument, schema: JsonSchema, value: unknown): JsonSchema {
  const { schema: known } = resolveSchema(document, schema);
  const names = isRecord(value) ? Object.keys(value) : [];
  const fitting = known.anyOf
    ?.map((one) => resolveSchema(document, one).schema)
    .find(({ properties = {} }) => names.every((name) => name in properties));
  return fitting ?? known;
}

/** Returns the component to which `$ref` of a schema points, or the schema itself. `nullable` says whether the value may also be null. */
export function resolveSchema(document: OpenApiDocument, schema: JsonSchema): { readonly schema: JsonSchema; readonly nullable: boolean } {
  const { $ref, anyOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    const component = document.components.schemas[name];
    if (!component) throw new Error(`the description has no schema ${name}`);
    return { schema: component, nullable: false };
  }
  const [only, none] = anyOf ?? [];
  if (anyOf?.length === 2 && only && none?.type === 'null') return { schema: resolveSchema(document, only).schema, nullable: true };
  return { schema, nullable: [schema.type].flat().includes('null') };
}

interface ErrorRow {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

export interface ErrorTexts {
  /** Returns the address of the explanation of an error, relative to the page `api`, or null. */
  readonly addressOf: (code: string) => string | null;
  /** Returns the cause of an error in the language of the API reference. Absent in English, because the English message names the cause. */
  readonly causeOf?: (code: string) => string;
}

/** The tables of errors in the API reference, as Markdown. */
interface ErrorTables {
  /**
   * Two tables. The first has the errors that all operations with an API key can return. The second has the further errors that all
   * operations with an API key and a request body can return.
   */
  readonly common: string;
  /** Returns a table of the errors of an operation that `common` does not list. Returns an empty text if there are none. */
  readonly of: (operation: Operation) => string;
}

function errorTables({ t }: ReferenceContext, operations: readonly Operation[], { addressOf, causeOf }: ErrorTexts): ErrorTables {
  const everywhere = shared(operations.filter((operation) => !isInternal(operation) && operation.security?.length !== 0));
  const withBody = shared(
    operations.filter((operation) => operation.requestBody && !isInternal(operation) && operation.security?.length !== 0),
  );
  const bodyOnly = without(withBody, everywhere);
  return {
    common: paragraphs(
      `## ${t('commonErrors')}`,
      errorTable(everywhere),
      bodyOnly.length === 0 ? '' : t('bodyErrors'),
      errorTable(bodyOnly),
    ),
    of(operation) {
      const rows = without(errorsOf(operation), isInternal(operation) ? [] : [...everywhere, ...(operation.requestBody ? withBody : [])]);
      return rows.length === 0 ? '' : paragraphs(`**${t('errors')}**`, errorTable(rows));
    },
  };

  function errorTable(rows: readonly ErrorRow[]): string {
    const name = (code: string) => {
      const target = addressOf(code);
      return target === null ? `\`${code}\`` : `[\`${code}\`](${target})`;
    };
    return table(
      [t('status'), '`Bili-Error`', t('message'), ...(causeOf ? [t('cause')] : [])],
      rows.map(({ status, code, message }) => [status, name(code), ...(causeOf ? [`\`${message}\``, causeOf(code)] : [message])]),
    );
  }
}

function errorsOf({ responses }: Operation): ErrorRow[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).map(([code, { summary }]) => ({ status, code, message: summary })),
  );
}

/** An error whose message is not the same for all operations, so that each operation lists it. */
const OWN = 'key_scope_missing';

/** Returns the errors that all these operations have. */
function shared(operations: readonly Operation[]): ErrorRow[] {
  const [first = [], ...others] = operations.map(errorsOf);
  return first.filter(({ code }) => code !== OWN && others.every((rows) => rows.some((row) => row.code === code)));
}

function without(rows: readonly ErrorRow[], left: readonly ErrorRow[]): ErrorRow[] {
  return rows.filter(({ code }) => !left.some((row) => row.code === code));
}

/** Whether an operation is one of applications of cashiers. The site sends no requests for them. */
function isInternal({ tags }: Operation): boolean {
  return tags.includes('Internal');
}

const SESSION_SECRET: Pick<Parameter, 'name' | 'in' | 'style' | 'example'> = { name: 'x-secret', in: 'header', example: 'YOUR_SESSION' };

/** Returns the example request of an operation. Headers that every operation accepts are left out. */
function exampleRequest(
  { parameters = [], requestBody, security = [] }: Operation,
  method: Described['method'],
  path: string,
): ExampleRequest {
  const body = requestBody?.content['application/json'];
  return {
    method,
    path,
    needsKey: security.some((scheme) => 'ApiKey' in scheme),
    // A parameter that is an object has no name of its own in the query.
    fields: [...parameters, ...(security.some((scheme) => 'Session' in scheme) ? [SESSION_SECRET] : [])]
      .filter(({ name, style }) => style === undefined && !COMMON_HEADERS.some((header) => header.name === name))
      .map(({ name, in: place, example }) => ({ name, in: place, value: example === undefined ? '' : String(example) })),
    body: body ? JSON.stringify(body.example, null, 2) : null,
  };
}

/** Returns the request of an operation in each language. It is sent to the sandbox. */
function samples({ document }: ReferenceContext, { operation, method, path }: Described): string {
  const request = httpRequest(exampleRequest(operation, method, path ?? ''));
  const origin = document.servers.find(({ description }) => description === 'Sandbox')?.url ?? '';
  return paragraphs(...SAMPLES.map(({ language, label, write }) => fence(`${language} ${label}`, write(request, origin))));
}
