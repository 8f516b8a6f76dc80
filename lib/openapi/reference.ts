import { curlCommand } from './curl-command';
import { exampleJson } from './example-json';
import { COMMON_HEADERS } from './headers';
import { codes, fence, paragraphs, table } from './markdown';
import { type ReferenceContext, type ReferenceLanguage, referenceContext } from './reference-context';
import { type ErrorTexts, errorTables } from './reference-errors';
import { meaning, memberTable, objectLink, objectNames, typeText } from './reference-schema';
import type { ApiResponse, Header, OpenApiDocument, Operation, PathItem } from './types';

interface ReferenceOptions {
  /** The language of the API reference; English if absent. */
  readonly language?: ReferenceLanguage;
  readonly errors?: ErrorTexts;
}

/**
 * Renders the API description as Markdown (tables and fenced code, as on GitHub): a section of level 2 for each group, and one of level 3
 * for each operation and each object. Names and examples are the same in every language.
 */
export function renderReference(
  document: OpenApiDocument,
  { language, errors = { addressOf: () => null } }: ReferenceOptions = {},
): string {
  const { info, paths, webhooks, tags, components } = document;
  const context = referenceContext(document, language);
  const { t, translate } = context;
  const described = [
    ...Object.entries(paths).flatMap(([path, item]) => withMethod(item, path)),
    ...Object.values(webhooks).flatMap((item) => withMethod(item, null)),
  ];
  const tables = errorTables(
    context,
    described.map(({ operation }) => operation),
    errors,
  );
  const groups = tags.map(({ name, description }) => {
    const own = described.filter(({ operation }) => operation.tags.includes(name));
    return paragraphs(
      `## ${translate(name)}`,
      translate(description),
      contents(context, own),
      ...own.map((one) => renderOperation(context, one, tables.of(one.operation))),
    );
  });
  const objects = objectNames(document).map((name) => {
    const schema = components.schemas[name] ?? {};
    return paragraphs(`### ${name}`, translate(schema.description ?? ''), memberTable(context, schema));
  });
  return `${paragraphs(
    translate(info.description),
    ...groups,
    `## ${t('objects')}`,
    ...objects,
    `## ${t('requestHeaders')}`,
    headerTable(context, Object.fromEntries(COMMON_HEADERS.map((header) => [header.name, header]))),
    `## ${t('answerHeaders')}`,
    headerTable(context, components.headers),
    tables.common,
  )}\n`;
}

function headerTable(context: ReferenceContext, headers: Readonly<Record<string, Header>>): string {
  const rows = Object.entries(headers).map(([name, { schema, description }]) => [
    `\`${name}\``,
    meaning(context, { ...schema, description }),
  ]);
  return table([context.t('header'), context.t('meaning')], rows);
}

/** Returns a table of operations with links to their sections. */
function contents({ t, translate }: ReferenceContext, described: readonly Described[]): string {
  const rows = described.map(({ operation, method, path }) => {
    const heading = translate(operation.summary);
    return [`[${heading}](#${anchorOf(heading)})`, path === null ? t('webhook') : `\`${method} ${path}\``];
  });
  return table([t('operation'), t('request')], rows);
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

function renderOperation(context: ReferenceContext, described: Described, errors: string): string {
  const { document, t, translate } = context;
  const { operation, method, path } = described;
  const { summary, description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const answer = responses[200];
  return paragraphs(
    `### ${translate(summary)}`,
    path === null ? '' : `\`${method} ${path}\``,
    translate(description),
    parameterTable(context, operation),
    body
      ? paragraphs(`**${t('body')}**`, translate(requestBody?.description ?? ''), memberTable(context, body.schema, { showRequired: true }))
      : '',
    path === null ? fence('json', exampleJson(document, body?.schema, body?.example)) : fence('sh', curlCommand(operation, method, path)),
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
  const object = objectLink(document, media.schema);
  const status = object === null ? t('status200') : t('statusWithObject', { object });
  return paragraphs(
    `**${t('answer')}**`,
    special.length === 0 ? status : `${status} ${t('specialHeaders', { headers: codes(special) })}`,
    object === null ? memberTable(context, media.schema) : '',
    media.example === undefined ? '' : fence('json', exampleJson(document, media.schema, media.example)),
  );
}

function webhookAnswers({ t, translate }: ReferenceContext, { responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description }]) => [status, translate(description)]);
  return paragraphs(`**${t('yourAnswer')}**`, table([t('status'), t('meaning')], rows));
}
