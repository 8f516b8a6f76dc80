import { expect, test } from 'vitest';
import { describedApi } from '@/testing/openapi/described-api';
import { renderReference } from './reference';

const document = describedApi();
const { overview, groups } = renderReference(document);
const text = [overview, ...groups.map(({ markdown }) => markdown)].join('\n');

test('has a section for each operation, with its request line', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      expect(text).toContain(`\n## ${operation.summary}\n\n\`${method.toUpperCase()} ${path}\`\n`);
    }
  }
  expect(text).toContain('\n## The status of a bill changed\n');
});

test('writes amounts with a decimal point, and an example as a command', () => {
  expect(text).toContain('"amount": 5000.0,\n  "status": "NOT_PAID"');
  expect(text).toContain(
    '"bill": {\n        "id": "01a1fb0f-e60c-7000-8000-5a1e6b6c2d01",\n        "mobile": "0712345001",\n        "amount": 5000.0',
  );
  expect(text).toContain(
    "curl -sS 'http://localhost:3001/api/v3/bills?reference=ORDER-1&limit=20' \\\n  -H 'Authorization: ApiKey YOUR_KEY_ID:YOUR_SECRET'",
  );
});

test('describes each object once, with links to it', () => {
  expect(text.match(/^### Bill$/gm)).toHaveLength(1);
  expect(text).toContain('Status 200 with an object [Bill](../api/bills.md#bill)');
  expect(text).toContain('| `lastAttempt` | [LastAttempt](../api/bills.md#lastattempt) or null | The newest payment request');
  expect(text).not.toContain('`lastAttempt.state`');
  expect(text).toContain('| `events` | array of [Event](../api/history.md#event) |');
  const objects = [...text.matchAll(/\]\(\.\.\/api\/(\w+)\.md#(\w+)\)/g)];
  for (const [, page = '', name = ''] of objects) {
    expect(groups.find(({ slug }) => slug === `api/${page}`)?.markdown.toLowerCase()).toContain(`\n### ${name}\n`);
  }
  expect(objects.length).toBeGreaterThan(10);
});

test('has a page for each group, to which the overview links', () => {
  expect(groups.map(({ slug }) => slug)).toEqual(document.tags.map(({ name }) => `api/${name.toLowerCase()}`));
  expect(overview).toContain('| [Create a bill](api/bills.md#create-a-bill) | `POST /api/v3/bills/create` |');
  const [bills] = groups;
  expect(bills?.markdown).toContain('| [Create a bill](#create-a-bill) | `POST /api/v3/bills/create` |');
  expect(bills?.requests.get('GET /api/v3/bills/{id}')).toMatchObject({ method: 'GET', needsKey: true, body: null });
});

test('says which members are required, and shows an example of each object', () => {
  expect(text).toContain('| `reference` | string **required** |');
  for (const [, name = '', section = ''] of text.matchAll(/^### (\w+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)) {
    if (name !== 'Error') expect(section, name).toContain(`\n\`\`\`json ${name}\n{`);
  }
});

test('lists the errors of each operation, and those of every operation once', () => {
  expect(text).toContain('| 400 | `amount_required` | amount is required |');
  expect(text.split('| 401 | `credentials_invalid` |')).toHaveLength(2);
  expect(overview.split('| 415 | `content_type_unsupported` |')).toHaveLength(2);
  expect(groups.find(({ slug }) => slug === 'api/bills')?.markdown).not.toContain('| 415 | `content_type_unsupported` |');
  const linked = renderReference(document, { errors: { addressOf: (code) => `errors.md#${code}` } });
  expect(linked.overview).toContain('| 401 | [`credentials_invalid`](errors.md#credentials_invalid) |');
  const [bills] = linked.groups;
  expect(bills?.markdown).toContain('| 400 | [`amount_required`](../errors.md#amount_required) | amount is required |');
});

test('keeps the items of a list apart', () => {
  expect(text).toContain('\n2. Answer 2xx within 15 seconds, and do slow work afterwards.\n');
});

test('lists the headers that every request may have', () => {
  const [, headers = ''] = text.split('\n## Headers of requests\n');
  expect(headers).toMatch(/^\n\| header \| meaning \|\n.*\n\| `X-Request-Id` \| .*\n\| `Bili-Sandbox-Scenario` \| .*One of `paid`/);
});

test('an operation without a body has the errors of scopes, too', () => {
  const [, operation = ''] = text.split('\n## Get a bill\n');
  expect(operation.slice(0, operation.indexOf('\n## '))).toContain('| 403 | `key_scope_missing` | This api key needs the scope read |');
});

test('an operation that creates something lists the error of its scope', () => {
  for (const name of ['Create a bill', 'Close a bill']) {
    const [, operation = ''] = text.split(`\n## ${name}\n`);
    expect(operation.slice(0, operation.indexOf('\n## ')), name).toContain('| 403 | `key_scope_missing` |');
  }
});

test('has no empty parts', () => {
  expect(text).not.toMatch(/undefined|\[object|…|\n\n\n/);
  for (const line of text.split('\n').filter((one) => one.startsWith('|'))) expect(line).toMatch(/\|$/);
});
