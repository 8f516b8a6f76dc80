import { expect, test } from 'vitest';
import { type ExampleRequest, httpRequest, SAMPLES } from './samples';

const example: ExampleRequest = {
  method: 'POST',
  path: '/api/v3/bills/{id}/push',
  needsKey: true,
  fields: [
    { name: 'id', in: 'path', value: 'a/b' },
    { name: 'limit', in: 'query', value: '5&6' },
    { name: 'after', in: 'query', value: '' },
    { name: 'Idempotency-Key', in: 'header', value: "it's" },
  ],
  body: '{\n  "note": "$x \'y\' {z}: true",\n  "done": true,\n  "more": {}\n}',
};

function write(label: string, change: Partial<ExampleRequest> = {}): string {
  const sample = SAMPLES.find((one) => one.label === label);
  return sample?.write(httpRequest({ ...example, ...change }, { id: 'ID', secret: 'SECRET' }), 'https://try.example.com') ?? '';
}

test('a request has the values of its fields, escaped, and leaves out empty ones', () => {
  const { path, headers } = httpRequest(example);
  expect(path).toBe('/api/v3/bills/a%2Fb/push?limit=5%266');
  expect(headers).toEqual({
    Authorization: 'ApiKey YOUR_KEY_ID:YOUR_SECRET',
    'Idempotency-Key': "it's",
    'Content-Type': 'application/json',
  });
  expect(httpRequest({ ...example, needsKey: false, fields: [], body: null }).headers).toEqual({});
});

test('each language has the key, and the body as its own values', () => {
  for (const { label } of SAMPLES) expect(write(label)).toContain('ApiKey ID:SECRET');
  expect(write('curl')).toContain(`-H 'Idempotency-Key: it'\\''s'`);
  expect(write('PHP')).toContain(`'note' => '$x \\'y\\' {z}: true',\n      'done' => true,\n      'more' => new stdClass`);
  expect(write('Python')).toContain(`"note": "$x 'y' {z}: true",\n      "done": True,`);
  expect(write('Node')).toContain(`'Idempotency-Key': 'it\\'s'`);
  expect(write('Java')).toContain('                  "done": true,\n');
});

test('a request without a body is a POST in each language, too', () => {
  const lines = [
    '-X POST',
    "CURLOPT_CUSTOMREQUEST => 'POST'",
    'method="POST"',
    "method: 'POST'",
    '.POST(HttpRequest.BodyPublishers.noBody())',
  ];
  for (const [at, { label }] of SAMPLES.entries()) expect(write(label, { body: null })).toContain(lines[at]);
});

test('a body that is not JSON yet stays as it was typed', () => {
  expect(write('PHP', { body: '{"a": tru' })).toContain(`['a' => tru`);
  expect(write('Node', { body: '{"a' })).toContain('JSON.stringify({"a)');
});
