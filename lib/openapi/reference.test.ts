import { expect, test } from 'vitest';
import { describedApi } from '@/lib/testing/openapi/described-api';
import { renderReference } from './reference';

const document = describedApi();
const text = renderReference(document);

test('has a section for each operation, with its request line', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      expect(text).toContain(`\n### ${operation.summary}\n\n\`${method.toUpperCase()} ${path}\`\n`);
    }
  }
  expect(text).toContain('\n### The status of a bill changed\n');
});

test('writes amounts with a decimal point and names members inside others', () => {
  expect(text).toContain('"amount": 5000.0,\n  "status": "NOT_PAID"');
  expect(text).toMatch(/\| `lastAttempt\.state` \| string \| .*One of `PENDING`, `UNKNOWN`/);
  expect(text).toContain('| `events[].body.bill.amount` | number |');
});

test('lists the errors of each operation, and those of every operation once', () => {
  expect(text).toContain('| 400 | `amount_required` | amount is required |');
  expect(text.split('| 401 | `credentials_invalid` |')).toHaveLength(2);
});

test('is Markdown without placeholders', () => {
  expect(text).not.toMatch(/undefined|\[object|…/);
  for (const line of text.split('\n').filter((one) => one.startsWith('|'))) expect(line).toMatch(/\|$/);
});
