import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { describedApi } from '@/testing/openapi/described-api';

/** Public addresses, because the linter warns of documents whose servers are on localhost. */
const PUBLIC = { LIVE_BASE_URL: 'https://pay.duka.co.tz', SANDBOX_BASE_URL: 'https://sandbox.duka.co.tz' };

async function lint(document: unknown) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location.map(({ pointer }) => pointer ?? '').join(' ')}`);
}

test('a standard linter has no warning about the description', async () => {
  expect(await lint(describedApi(PUBLIC))).toEqual([]);
});

test('the linter warns of an example that its schema does not allow', async () => {
  const text = JSON.stringify(describedApi(PUBLIC)).replace('"example":{"amount":5000,', '"example":{"amount":"5000",');
  expect(await lint(JSON.parse(text))).toEqual([expect.stringContaining('no-invalid-media-type-examples')]);
});
