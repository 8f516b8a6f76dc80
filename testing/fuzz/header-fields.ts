import { PAY_LANGUAGE_COOKIE, payCookieNames } from '@/lib/entry/http/pay-device';
import { cookieNames, LANGUAGE_COOKIE, THEME_COOKIE } from '@/lib/entry/server/cookie-names';
import { listActions } from '../surface/actions';
import { listHeaders } from '../surface/headers';
import { post } from './action-fields';
import { create } from './api-fields';
import { inHeader } from './encodings';
import type { Field, HttpRequest } from './field';
import type { Stage } from './stage';

/** Headers that the HTTP parser reads and limits before our code runs. */
const OF_PROTOCOL = new Set(['connection', 'content-length', 'expect']);

/**
 * Returns the fields of headers and cookies. Each header that any code reads is tested in one cheap request of each kind: for a page, to
 * the API, as a callback, to an action. Cookies are tested only in requests for pages.
 */
export function headerFields(stage: Stage): Field[] {
  const names = listHeaders().filter((name) => !OF_PROTOCOL.has(name) && name !== 'cookie');
  const live = { host: `localhost:${stage.ports.live}` };
  const [action] = listActions().filter(({ name }) => name.endsWith('#endSessionsAction'));
  if (!action) throw new Error('there is no action that ends sessions');
  const withCookies: Way[] = [
    { way: 'payment page', request: () => ({ method: 'GET', path: '/pay?show=stop', headers: live }) },
    {
      way: 'page',
      request: () => ({ method: 'GET', path: '/account/password?_rsc', headers: { ...live, cookie: stage.sessions.owner, rsc: '1' } }),
    },
  ];
  const others: Way[] = [
    { way: 'API', request: () => create('{"amount":500,"reference":"FUZZED"}', stage) },
    { way: 'callback', request: () => ({ method: 'POST', path: stage.callbacks.mpesa, headers: live, body: '{}' }) },
    { way: 'action', request: () => post(action, stage, [['session', stage.ids.run]]) },
  ];
  return [
    ...[...withCookies, ...others].flatMap((way) => names.map((name) => headerField(way, name))),
    ...withCookies.flatMap((way) => cookieFields(way, stage)),
  ];
}

interface Way {
  readonly way: string;
  readonly request: () => HttpRequest;
}

function headerField({ way, request }: Way, name: string): Field {
  return {
    name: `${way}: header ${name}`,
    kind: 'head',
    encode: inHeader,
    control: request,
    request: (encoded) => {
      const { headers, ...rest } = request();
      return { ...rest, headers: { ...headers, [name]: encoded } };
    },
  };
}

function cookieFields({ way, request }: Way, stage: Stage): Field[] {
  const settings = { ...stage.runtime.settings, PORT: stage.ports.live };
  const { device, ...others } = cookieNames(settings);
  const names = [...Object.values(others), `${device}.a`, LANGUAGE_COOKIE, PAY_LANGUAGE_COOKIE, THEME_COOKIE];
  const { attempt, mobile } = payCookieNames({ settings }, 'live');
  return [...names, attempt, mobile].map((name) => ({
    name: `${way}: cookie ${name}`,
    kind: 'head',
    encode: (text) => inHeader(text).replace(/;/g, ','),
    again: `; ${name}=`,
    ...(name.startsWith(device) && { other: (n: number) => `; ${device}.${n}=${'a'.repeat(40)}` }),
    request: (encoded) => {
      const { headers, ...rest } = request();
      return { ...rest, headers: { ...headers, cookie: `${headers.cookie ? `${headers.cookie}; ` : ''}${name}=${encoded}` } };
    },
  }));
}
