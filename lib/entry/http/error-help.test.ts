import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { ERRORS } from './errors';

const runtime = testRuntime({ LIVE_BASE_URL: 'https://bili.example.com' });
const origin = testListener(runtime);

async function call(method: string, path: string, body?: string) {
  const { id, secret } = await (await makeMerchant(runtime())).key('sandbox');
  const headers = { authorization: `ApiKey ${id}:${secret}` };
  const response = await fetch(origin() + path, { method, headers, body: body === undefined ? null : new Blob([body]) });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

test.each([
  ['POST', '/api/v3/bills/create', '{"reference":"A"}', 400, 'amount_required'],
  ['POST', '/api/v3/bills/create', '{"amount":1,"reference":"A","mobile":"1"}', 400, 'mobile_invalid'],
  ['POST', '/api/v3/bills/create', 'x', 400, 'body_not_json'],
  ['GET', '/api/v3/bills/x', undefined, 404, 'bill_not_found'],
  ['GET', '/api/v3/events?limit=0', undefined, 400, 'limit_invalid'],
  ['GET', '/api/v3/bills/create', undefined, 405, 'method_not_allowed'],
  ['GET', '/api/v3/nothing', undefined, 404, 'not_found'],
  ['GET', '/api/v2/bill', undefined, 410, 'version_gone'],
] as const)('the error of %s %s with %j names its code and links to its explanation', async (method, path, body, status, code) => {
  const answer = await call(method, path, body);
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(answer.headers.get('bili-error')).toBe(code);
  expect(answer.headers.get('link')).toBe(`<https://bili.example.com/docs/errors#${code}>; rel="help"`);
});

test('a request without credentials gets the same code as one with wrong credentials', async () => {
  const codes = [undefined, 'ApiKey unknown:secret'].map(async (authorization) => {
    const response = await fetch(`${origin()}/api/v3/events`, { headers: authorization === undefined ? {} : { authorization } });
    expect(response.status).toBe(401);
    return response.headers.get('bili-error');
  });
  expect(await Promise.all(codes)).toEqual(['credentials_invalid', 'credentials_invalid']);
});

test('an answer without an error has no code', async () => {
  const { status, headers } = await call('GET', '/api/v3/events');
  expect(status).toBe(200);
  expect([headers.get('bili-error'), headers.get('link')]).toEqual([null, null]);
});

test('Bili-Ignored names unknown members behind invalid optional members', async () => {
  const members = '"amount":1,"reference":"A","phone":"0712345678","dueAt":"soon","currency":"USD"';
  const { status, headers, json } = await call('POST', '/api/v3/bills/create', `{${members}}`);
  expect(status).toBe(200);
  expect(headers.get('bili-ignored')).toBe('dueAt, phone, currency');
  expect(Object.keys(json)).toEqual(['id', 'mobile', 'amount', 'status', 'reference', 'webPayUrl', 'date']);
});

test('an error names the unknown members, too, because one may be the missing member with another spelling', async () => {
  const { headers, json } = await call('POST', '/api/v3/bills/create', '{"amount":1,"Reference":"A"}');
  expect(json).toEqual({ error: 'reference is required' });
  expect(headers.get('bili-ignored')).toBe('Reference');
});

test('docs/api.md lists every code with its status and message', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/api.md'), 'utf8');
  const rows = Object.entries(ERRORS).map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
