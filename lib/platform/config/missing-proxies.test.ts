import { expect, test } from 'vitest';
import { missingProxies } from './missing-proxies';

const [plain, secure] = [new URL('http://localhost:3000'), new URL('https://pay.example')];

test.each([
  [plain, plain, [], null],
  [secure, secure, ['10.0.0.1'], null],
  [secure, plain, [], expect.stringContaining('https://pay.example is served through a proxy, but TRUSTED_PROXIES is empty')],
  [plain, secure, [], expect.stringContaining('Set TRUSTED_PROXIES')],
] as const)('%s and %s behind %j: %s', (LIVE_BASE_URL, SANDBOX_BASE_URL, TRUSTED_PROXIES, said) => {
  expect(missingProxies({ LIVE_BASE_URL, SANDBOX_BASE_URL, TRUSTED_PROXIES: [...TRUSTED_PROXIES] })).toEqual(said);
});
