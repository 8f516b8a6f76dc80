import { expect, test } from 'vitest';
import { API_ROUTES } from '@/app/api/v3/api-routes';
import { KEY_SCOPES, type KeyScope, USUAL_KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { createKey, NO_LIMITS } from '@/lib/identity/keys/change-keys';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);

test('a key can do what its scopes allow, and every other route answers 403 with the missing scope', async () => {
  const merchant = await makeMerchant(runtime());
  const bill = await makeBill(runtime(), merchant);
  for (const scopes of [...KEY_SCOPES.map((scope): readonly KeyScope[] => [scope]), KEY_SCOPES]) {
    const key = await createKey(runtime(), merchant.operator('sandbox'), { label: 'Till', limits: { ...NO_LIMITS, scopes } });
    if (!key.ok) throw new Error(key.error);
    for (const { method, path, keyScope } of API_ROUTES) {
      const response = await fetch(origin() + path.replace(':id', bill), {
        method,
        headers: { authorization: `ApiKey ${key.value.id}:${key.value.secret}`, 'idempotency-key': crypto.randomUUID() },
        body: method === 'POST' ? new Blob(['{}']) : null,
      });
      const allowed = keyScope === null || scopes.includes(keyScope);
      expect(response.headers.get('bili-error') === 'key_scope_missing', `${path} with ${scopes}`).toBe(!allowed);
      if (!allowed) expect([response.status, await response.json()]).toEqual([403, { error: `This api key needs the scope ${keyScope}` }]);
    }
  }
});

test('a key from a version without scopes keeps all but refunds', async () => {
  const merchant = await makeMerchant(runtime());
  const { id } = await merchant.key('sandbox');
  await runtime().db.query({ text: 'UPDATE api_key SET scopes = DEFAULT WHERE id = $1' }, [id]);
  const [row] = await runtime().db.query<{ scopes: string[] }>({ text: 'SELECT scopes FROM api_key WHERE id = $1' }, [id]);
  expect(row?.scopes).toEqual(USUAL_KEY_SCOPES);
});
