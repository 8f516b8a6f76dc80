import { findRoute } from '@/app/direct-routes';
import { PARAMETERS_MAX } from '@/lib/entry/http/next-limits';
import { addressOf, segmentsOf } from '../surface/addresses';
import { parametersOf } from '../surface/parameters';
import { addressPattern, listRouteFiles } from '../surface/route-files';
import { inPath, inQuery } from './encodings';
import type { Field, HttpRequest } from './field';
import type { Stage } from './stage';

/** Routes that read their parameters from a form. They refuse GET. */
const FORMS = new Set(['preferences/route.ts', 'push/news/route.ts']);
/** Routes that refuse every URL: removed API versions, unknown paths, and the logo of a merchant without one. */
const REFUSING = new Set([
  'api/v1/[[...path]]/direct.ts',
  'api/v2/[[...path]]/direct.ts',
  'api/v3/[[...path]]/direct.ts',
  'pay/logo/[[...path]]/direct.ts',
]);
/**
 * Routes that change a bill. They refuse the change for most bills. A `control` request must succeed, so the fields of the paths of these
 * routes have none. `JSON_FIELDS` has the fields of their bodies.
 */
const CHANGES = /^api\/(?:v3\/bills\/\[id\]\/(?:close|push|reopen)|v2\/.+)\//;
/** Parameters that all pages and routes of a merchant read in the same way. */
const SHARED = new Set(['m/[merchant]', '[merchant]/[environment]']);

/**
 * Returns the path and query parameters of all pages and routes. Parameters that one function reads for several pages are included once.
 */
export function addressFields(stage: Stage): Field[] {
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && seen.add(key);
  const fields = listRouteFiles()
    .filter((file) => !FORMS.has(file))
    .toSorted((a, b) => Number(!a.endsWith('page.tsx')) - Number(!b.endsWith('page.tsx')))
    .flatMap((file) => [
      ...segmentsOf(file)
        .filter((name) => isNew(SHARED.has(name) ? name : `${file} ${name}`))
        .map((name) => segmentField(file, name, stage)),
      ...parametersOf(file)
        .filter(({ name, reader }) => isNew(`${reader ?? file} ?${name}`))
        .map(({ name }, at) => parameterField(file, { name, first: at === 0 }, stage)),
    ]);
  return [...fields, ...['/', '/_next/', '/_next/static/'].map((begin) => nowhereField(begin, stage))];
}

/** Returns a field for the rest of a path that begins with `begin`. No page has such a path. */
function nowhereField(begin: string, stage: Stage): Field {
  const request = (encoded: string) => load('page.tsx', begin + encoded, stage);
  return { name: `${begin}…`, kind: 'head', encode: (text) => encodeURI(text).replace(/%25/g, '%'), request };
}

function segmentField(file: string, name: string, stage: Stage): Field {
  return {
    name: `${file} ${name}`,
    kind: 'head',
    encode: inPath,
    request: (encoded) => ask(file, addressOf(file, stage, { ...deepSegments(stage), [name]: encoded }), stage),
    ...(!REFUSING.has(file) && !CHANGES.test(file) && { control: () => load(file, addressOf(file, stage, deepSegments(stage)), stage) }),
  };
}

/** Values of path parameters that replace the defaults of `addressOf`. */
function deepSegments({ tokens, callbacks, bills, shift, linkCode, phoneToken }: Stage): Readonly<Record<string, string>> {
  const [provider = '', token = ''] = callbacks.mpesa.split('/').slice(-2);
  return {
    'invitation/[token]': tokens.invitation,
    'callbacks/[provider]': provider,
    '[provider]/[token]': token,
    'shift/[shift]': shift,
    'p/[[...path]]': linkCode,
    'phone/[[...path]]': phoneToken,
    'picture/[[...path]]': `${bills.paid}/bill.png`,
  };
}

/** Returns the query parameters without which a page or route does not read its other parameters. */
function deepParameters(file: string, { bills, tokens }: Stage): string {
  const parameters: Readonly<Record<string, string>> = {
    '(auth)/reset/page.tsx': `token=${tokens.reset}`,
    '(dashboard)/account/email/confirm/page.tsx': `token=${tokens.email}`,
    '(dashboard)/m/[merchant]/[environment]/webhooks/live/route.ts': 'view=deliveries',
    'pay/direct.tsx': `bill=${bills.paid}`,
  };
  return parameters[file] ?? '';
}

function parameterField(file: string, { name, first }: { readonly name: string; readonly first: boolean }, stage: Stage): Field {
  const beside = deepParameters(file, stage);
  const address = addressOf(file, stage, deepSegments(stage));
  const path = `${address}?${beside.startsWith(`${name}=`) || beside === '' ? '' : `${beside}&`}`;
  return {
    name: `${file} ?${name}`,
    kind: 'head',
    encode: inQuery,
    again: `&${name}=`,
    ...(first && { other: (n: number) => `&a${n}=b` }),
    ...(isDirect(file) ? {} : { most: PARAMETERS_MAX - 3 }),
    request: (encoded) => ask(file, `${path}${name}=${encoded}`, stage),
    control: () => load(file, `${address}?${beside}`, stage),
  };
}

/** Returns whether the listener serves the path without Next.js. */
function isDirect(file: string): boolean {
  return findRoute(`/${addressPattern(file).replace(/\/\[\[?\.\.\..*/, '/x')}`) !== undefined;
}

/** Loads a page or route as a browser does. */
function load(file: string, path: string, { ports, sessions, apiKey }: Stage): HttpRequest {
  const environment = isDirect(file) ? 'sandbox' : 'live';
  const cookie = file.includes('/code/') ? sessions.waiting : /^(?:\(auth\)|api\/auth)\//.test(file) ? '' : sessions.owner;
  const called = file.startsWith('callbacks/') || CHANGES.test(file);
  return {
    method: called ? 'POST' : 'GET',
    path,
    headers: {
      host: `localhost:${ports[environment]}`,
      cookie,
      ...(file.startsWith('api/v') && { authorization: `ApiKey ${apiKey.id}:${apiKey.secret}` }),
    },
    environment,
    ...(called && { body: '{}' }),
  };
}

/**
 * Loads a page as React's client does: without its HTML. Rendering the HTML would double the cost, and would not parse more of the request.
 */
function ask(file: string, path: string, stage: Stage): HttpRequest {
  const request = load(file, path, stage);
  if (!file.endsWith('page.tsx')) return request;
  return { ...request, path: `${path}${path.includes('?') ? '&' : '?'}_rsc`, headers: { ...request.headers, rsc: '1' } };
}
