import { curlCommand } from './curl-command';
import { exampleJson } from './example-json';
import { COMMON_HEADERS } from './headers';
import { codes, fence, paragraphs, table } from './markdown';
import { errorTables } from './reference-errors';
import { meaning, memberTable, objectLink, objectNames, typeText } from './reference-schema';
import type { ApiResponse, OpenApiDocument, Operation, PathItem } from './types';

interface ReferenceOptions {
  /** Returns the address of the page that explains an error, or null. */
  readonly errorAddress?: (code: string) => string | null;
}

/**
 * Renders the API description as Markdown (tables and fenced code, as on GitHub): a section of level 2 for each group, and one of level 3
 * for each operation and each object.
 */
export function renderReference(document: OpenApiDocument, { errorAddress = () => null }: ReferenceOptions = {}): string {
  const { info, paths, webhooks, tags, components } = document;
  const described = [
    ...Object.entries(paths).flatMap(([path, item]) => withMethod(item, path)),
    ...Object.values(webhooks).flatMap((item) => withMethod(item, null)),
  ];
  const errors = errorTables(
    described.map(({ operation }) => operation),
    errorAddress,
  );
  const groups = tags.map(({ name, description }) => {
    const own = described.filter(({ operation }) => operation.tags.includes(name));
    return paragraphs(
      `## ${name}`,
      description,
      contents(own),
      ...own.map((one) => renderOperation(document, one, errors.of(one.operation))),
    );
  });
  const objects = objectNames(document).map((name) => {
    const schema = components.schemas[name] ?? {};
    return paragraphs(`### ${name}`, schema.description ?? '', memberTable(document, schema));
  });
  const headers = Object.entries(components.headers).map(([name, header]) => [
    `\`${name}\``,
    meaning({ ...header.schema, description: header.description }),
  ]);
  return `${paragraphs(
    '# API reference',
    info.description,
    ...groups,
    '## Objects',
    ...objects,
    '## Headers of answers',
    table(['header', 'meaning'], headers),
    errors.common,
  )}\n`;
}

/** Returns a table of operations with links to their sections. */
function contents(described: readonly Described[]): string {
  const rows = described.map(({ operation: { summary }, method, path }) => [
    `[${summary}](#${anchorOf(summary)})`,
    path === null ? 'webhook' : `\`${method} ${path}\``,
  ]);
  return table(['operation', 'request'], rows);
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
  readonly method: 'GET' | 'POST';
  /** Null for a webhook, whose address the receiver chooses. */
  readonly path: string | null;
}

function withMethod({ get, post }: PathItem, path: string | null): Described[] {
  return [
    ...(get ? [{ operation: get, method: 'GET' as const, path }] : []),
    ...(post ? [{ operation: post, method: 'POST' as const, path }] : []),
  ];
}

function renderOperation(document: OpenApiDocument, described: Described, errors: string): string {
  const { operation, method, path } = described;
  const { summary, description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const answer = responses[200];
  return paragraphs(
    `### ${summary}`,
    path === null ? '' : `\`${method} ${path}\``,
    description,
    parameterTable(document, operation),
    body ? paragraphs('**Body**', requestBody?.description ?? '', memberTable(document, body.schema, { showRequired: true })) : '',
    path === null ? fence('json', exampleJson(document, body?.schema, body?.example)) : fence('sh', curlCommand(operation, method, path)),
    answer ? renderAnswer(document, answer) : '',
    path === null ? webhookAnswers(operation) : errors,
  );
}

function parameterTable(document: OpenApiDocument, { parameters = [] }: Operation): string {
  const rows = parameters
    .filter(({ name }) => !COMMON_HEADERS.some((header) => header.name === name))
    .map(({ name, in: place, schema, required, description }) => [
      `\`${name}\``,
      place,
      `${typeText(document, schema)}${required ? ', required' : ''}`,
      meaning({ ...schema, description }),
    ]);
  return rows.length === 0 ? '' : paragraphs('**Parameters**', table(['name', 'in', 'type', 'meaning'], rows));
}

function renderAnswer(document: OpenApiDocument, { headers = {}, content }: ApiResponse): string {
  const media = content?.['application/json'];
  if (!media) return '';
  const special = Object.keys(headers).filter((name) => name.startsWith('Bili-') || name.startsWith('Idempotency-'));
  const object = objectLink(document, media.schema);
  return paragraphs(
    '**Answer**',
    `Status 200${object === null ? '' : ` with an object ${object}`}${special.length > 0 ? `. It can have the headers ${codes(special)}` : ''}.`,
    object === null ? memberTable(document, media.schema) : '',
    media.example === undefined ? '' : fence('json', exampleJson(document, media.schema, media.example)),
  );
}

function webhookAnswers({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description }]) => [status, description]);
  return paragraphs('**Your answer**', table(['status', 'meaning'], rows));
}
