import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { testListener } from '@/testing/fakes/listener';
import { testRuntime } from '@/testing/runtime';
import { aboveNextLimits, FORM_MAX_BYTES, PARAMETERS_MAX } from './next-limits';

const parameters = (count: number) => Array.from({ length: count }, () => 'a').join('&');
const form = (url: string, bytes: number) => aboveNextLimits({ url, headers: { 'content-length': String(bytes) } });

test.each(['/sign-in?', '/sign-in??', '/sign-in?a=?&', '/'])('a URL that starts with %s may have PARAMETERS_MAX parameters', (begin) => {
  expect(aboveNextLimits({ url: begin + parameters(PARAMETERS_MAX - 1), headers: {} })).toBeNull();
  expect(aboveNextLimits({ url: begin + parameters(PARAMETERS_MAX + 1), headers: {} })).toBe('parameters_too_many');
});

test('a form may be as large as Next.js allows, and uploads are limited by their own routes', () => {
  expect(form('/m/duka/live/keys', FORM_MAX_BYTES)).toBeNull();
  expect(form('/m/duka/live/keys', FORM_MAX_BYTES + 1)).toBe('body_too_large');
  expect(form('/m/duka/live/keys?/bills/import/upload', FORM_MAX_BYTES + 1)).toBe('body_too_large');
  for (const upload of ['bills/import/upload', 'settings/logo']) expect(form(`/m/duka/live/${upload}?x`, FORM_MAX_BYTES + 1)).toBeNull();
  expect(readFileSync(join(PROJECT_ROOT, 'next.config.mjs'), 'utf8')).toContain(`bodySizeLimit: '${FORM_MAX_BYTES / 1024}kb'`);
});

const origin = testListener(testRuntime(), 'live', ({ headers }, response) =>
  response.writeHead(204, { agent: headers['user-agent'] }).end(),
);

test('the listener refuses requests above the limits', async () => {
  expect((await fetch(`${origin()}/m/duka?a`)).status).toBe(204);
  const long = await fetch(`${origin()}/m/duka?${parameters(PARAMETERS_MAX + 1)}`);
  expect([long.status, await long.json()]).toEqual([414, { error: 'Request address has too many parameters' }]);
  const large = await fetch(`${origin()}/m/duka`, { method: 'POST', body: new Uint8Array(FORM_MAX_BYTES + 1) });
  expect([large.status, await large.json()]).toEqual([413, { error: 'Request body is too large' }]);
});

test('the listener shortens a User-Agent that is too long', async () => {
  const agentOf = async (agent: string) => (await fetch(`${origin()}/m/duka`, { headers: { 'user-agent': agent } })).headers.get('agent');
  expect(await agentOf('Mozilla/5.0')).toBe('Mozilla/5.0');
  expect(await agentOf('a'.repeat(10_000))).toHaveLength(500);
});
