import { expect, test } from 'vitest';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { signPhonePath } from './phone-link';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const origin = testListener(runtime);

test('a form of a test phone that is too large is refused, and not taken for an empty form', async () => {
  const { merchantId } = (await makeMerchant(runtime())).scope('sandbox');
  const page = `${origin()}${await signPhonePath(runtime(), merchantId)}`;
  const submit = (extra: string) =>
    fetch(page, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ do: 'switch', mobile: '0754345678', power: 'off', money: 'some', extra }),
    });
  expect((await submit('x')).status).toBe(303);
  const refused = await submit('x'.repeat(5_000));
  expect(refused.status).toBe(413);
  expect(await refused.json()).toEqual({ error: 'Request body is too large' });
});
