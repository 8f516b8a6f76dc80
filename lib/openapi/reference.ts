import { exampleJson } from './example-json';
import { REQUEST_ID } from './headers';
import { memberRows, typeText } from './reference-schema';
import type { ApiResponse, JsonSchema, OpenApiDocument, Operation, Parameter } from './types';

/**
 * Renders the API description as Markdown (GFM tables, fenced code): one section of level 2 for each group, and one of level 3 for each
 * operation, with its parameters, members, examples and errors.
 */
export function renderReference(document: OpenApiDocument): string {
  const operations = [
    ...Object.entries(document.paths).flatMap(([path, item]) => [...withMethod(item, path)]),
    ...Object.values(document.webhooks).flatMap((item) => [...withMethod(item, null)]),
  ];
  const common = commonErrors(operations);
  const groups = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return [`## ${name}`, description, ...own.map((one) => renderOperation(document, one, common))].join('\n\n');
  });
  const errors = `## Errors of every operation\n\n${errorTable(common)}`;
  return `${['# API reference', document.info.description, ...groups, errors].join('\n\n')}\n`;
}

interface Described {
  readonly operation: Operation;
  readonly method: string;
  /** Null for a webhook, whose address the receiver chooses. */
  readonly path: string | null;
}

function* withMethod(item: OpenApiDocument['paths'][string], path: string | null): Generator<Described> {
  if (item.get) yield { operation: item.get, method: 'GET', path };
  if (item.post) yield { operation: item.post, method: 'POST', path };
}

function renderOperation(document: OpenApiDocument, { operation, method, path }: Described, common: readonly ErrorRow[]): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const kinds = [
    ['path', 'Path'],
    ['query', 'Query'],
    ['header', 'Headers'],
  ] as const;
  return [
    `### ${summary}`,
    path === null ? '' : `\`${method} ${path}\``,
    description,
    ...kinds.map(([kind, title]) =>
      parameterTable(
        title,
        parameters.filter((one) => one.in === kind && one.name !== REQUEST_ID.name),
      ),
    ),
    requestBody && body ? `#### Request\n\n${requestBody.description}\n\n${memberTable(document, body.schema)}` : '',
    body ? fence(exampleJson(document, body.schema, body.example)) : '',
    ...Object.entries(responses)
      .filter(([status]) => status === '200')
      .map(([, response]) => renderAnswer(document, response)),
    path === null ? webhookAnswers(operation) : renderErrors(operation, common),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function parameterTable(title: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, schema, required, description }) => [
    `\`${name}\``,
    `${typeText(schema)}${required ? ', required' : ''}`,
    `${description}${limitsText(schema)}`,
  ]);
  return `#### ${title}\n\n${table(['name', 'type', 'meaning'], rows)}`;
}

function limitsText({ enum: values, minimum, maximum, default: fallback }: JsonSchema): string {
  const parts = [
    values ? ` One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '',
    minimum !== undefined && maximum !== undefined && maximum < 1e6 ? ` From ${minimum} to ${maximum}.` : '',
    fallback === undefined ? '' : ` Default: \`${String(fallback)}\`.`,
  ];
  return parts.join('');
}

function memberTable(document: OpenApiDocument, schema: JsonSchema): string {
  const rows = memberRows(document, schema);
  if (rows.length === 0) return '';
  return table(
    ['member', 'type', 'meaning'],
    rows.map(({ name, type, required, description }) => [`\`${name}\``, `${type}${required ? ', required' : ''}`, description]),
  );
}

function renderAnswer(document: OpenApiDocument, { headers = {}, content }: ApiResponse): string {
  const media = content?.['application/json'];
  if (!media) return '';
  const names = Object.keys(headers).map((name) => `\`${name}\``);
  return [
    '#### Answer',
    `Status 200${names.length > 0 ? `, with the headers ${names.join(', ')}` : ''}.`,
    memberTable(document, media.schema).replaceAll(', required |', ' |'),
    media.example === undefined ? '' : fence(exampleJson(document, media.schema, media.example)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface ErrorRow {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

function errorsOf({ responses }: Operation): ErrorRow[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).map(([code, { summary }]) => ({ status, code, message: summary })),
  );
}

/** Returns the errors that all operations have that need a key. */
function commonErrors(operations: readonly Described[]): ErrorRow[] {
  const all = operations.filter(({ operation }) => operation.security?.length !== 0).map(({ operation }) => errorsOf(operation));
  const [first = [], ...others] = all;
  return first.filter(({ code }) => others.every((rows) => rows.some((row) => row.code === code)));
}

function renderErrors(operation: Operation, common: readonly ErrorRow[]): string {
  const own = errorsOf(operation).filter(({ code }) => !common.some((row) => row.code === code));
  return own.length === 0 ? '' : `#### Errors\n\n${errorTable(own)}`;
}

function errorTable(rows: readonly ErrorRow[]): string {
  return table(
    ['status', '`Bili-Error`', 'message'],
    rows.map(({ status, code, message }) => [status, `\`${code}\``, message]),
  );
}

function webhookAnswers({ responses }: Operation): string {
  return `#### Your answer\n\n${table(
    ['status', 'meaning'],
    Object.entries(responses).map(([status, { description }]) => [status, description]),
  )}`;
}

function fence(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
