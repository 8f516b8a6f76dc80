import { isRecord } from '@/lib/platform/core/is-record';
import type { ProviderManifest } from '@/lib/providers/kit/manifest';
import { PROVIDERS } from '@/lib/providers/registry';
import { reportSchema, SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import { inHeader, inJson, plain } from './encodings';
import { bodyFields, type Field, type HttpRequest } from './field';
import type { Stage } from './stage';

const REFERENCE = 'ABCDEFGHJKLMNPQRSTUV';
const MARK = 'the-value-of-the-member';

/** Returns the fields of the callbacks of all providers: bodies, JSON members and headers. */
export function callbackFields(stage: Stage): Field[] {
  return [
    ...sandboxFields(stage),
    ...PROVIDERS.flatMap((provider) => [...memberFields(provider, stage), ...signatureFields(provider, stage)]),
  ];
}

function sandboxFields(stage: Stage): Field[] {
  const key = stage.runtime.secrets.key('sandbox-provider');
  const members = Object.fromEntries(Object.keys(reportSchema.shape).map((name) => [name, null]));
  const request = (body: string) => post('sandbox', body, { [SIGNATURE_HEADER]: signCallback(key, body) }, stage);
  return bodyFields('callback of sandbox', members, { kind: 'callback', request });
}

/** Returns the fields of a body: the whole body, and each JSON member at any depth, as a string and as another value. */
function memberFields({ name: provider, callback }: ProviderManifest, stage: Stage): Field[] {
  const body = callback.body(REFERENCE);
  const to = { kind: 'callback', request: (text: string) => post(provider, text, callback.headers(new Date()), stage) } as const;
  const where = `callback of ${provider}`;
  return [
    { ...to, name: `${where}: the body`, encode: plain, control: () => to.request(JSON.stringify(body)) },
    ...markEach(body).flatMap(({ path, marked }) => {
      const [before = '', after = ''] = JSON.stringify(marked).split(`"${MARK}"`);
      const request = (value: string) => to.request(before + value + after);
      const again = `","${path.split('.').at(-1)}":"`;
      return [
        { ...to, name: `${where}: ${path}`, encode: inJson, again, request: (encoded: string) => request(`"${encoded}"`) },
        { ...to, name: `${where}: ${path} (no string)`, encode: plain, json: true, request },
      ];
    }),
  ];
}

/** Returns one copy of the object for each JSON member at any depth. In the copy, `MARK` replaces the value of the member. */
function markEach(value: object): { readonly path: string; readonly marked: unknown }[] {
  return Object.entries(value).flatMap(([name, member]) => [
    { path: name, marked: { ...value, [name]: MARK } },
    ...(isRecord(member)
      ? markEach(member).map(({ path, marked }) => ({ path: `${name}.${path}`, marked: { ...value, [name]: marked } }))
      : []),
  ]);
}

function signatureFields({ name: provider, callback }: ProviderManifest, stage: Stage): Field[] {
  const body = callback.body(REFERENCE);
  const request = (change: Readonly<Record<string, string>>) =>
    post(provider, JSON.stringify(body), { ...callback.headers(new Date()), ...change }, stage);
  return Object.keys(callback.headers(new Date())).map((name) => ({
    name: `callback of ${provider}: header ${name}`,
    kind: 'head',
    encode: inHeader,
    control: () => request({}),
    request: (encoded) => request({ [name]: encoded }),
  }));
}

function post(provider: string, body: string, headers: Readonly<Record<string, string>>, stage: Stage): HttpRequest {
  const host = `localhost:${stage.ports.sandbox}`;
  return { method: 'POST', path: stage.callbacks[provider] ?? '', environment: 'sandbox', headers: { host, ...headers }, body };
}
