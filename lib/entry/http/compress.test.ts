import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress } from './compress';

const PAGE = '<!doctype html>'.padEnd(5_000, 'bili ');

async function answer(acceptEncoding: string | null, contentType = 'text/html; charset=utf-8') {
  const headers = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding };
  const response = await compress(
    new Request('http://localhost/pay', { headers }),
    new Response(PAGE, { status: 422, headers: { 'content-type': contentType, 'set-cookie': 'a=b' } }),
  );
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}

test.each(['gzip', 'br, gzip;q=0.5', 'gzip, deflate', '*', 'GZIP;q=1'])('compresses a page for Accept-Encoding %j', async (accept) => {
  const { response, body } = await answer(accept);
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding', 'set-cookie': 'a=b' });
  expect(response.status).toBe(422);
  expect(gunzipSync(body).toString()).toBe(PAGE);
});

test.each([null, '', 'br', 'gzip;q=0', 'gzip; q=0.0', 'identity'])('does not compress a page for Accept-Encoding %j', async (accept) => {
  const { response, body } = await answer(accept);
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('vary')).toBe('accept-encoding');
  expect(body.toString()).toBe(PAGE);
});

test('does not compress anything but HTML', async () => {
  const { response } = await answer('gzip', 'text/plain');
  expect(response.headers.get('content-encoding')).toBeNull();
});

test('answers without compression what comes while too many pages wait for it', async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, () => answer('gzip')));
  const gzipped = answers.filter(({ response }) => response.headers.get('content-encoding') === 'gzip');
  expect(gzipped.length).toBeGreaterThan(0);
  expect(gzipped.length).toBeLessThan(300);
  expect(
    answers.every(({ response, body }) => (gzipped.some((one) => one.response === response) ? gunzipSync(body) : body).toString() === PAGE),
  ).toBe(true);
});
