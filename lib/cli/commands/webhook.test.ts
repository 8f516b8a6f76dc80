import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR_MS } from '@/lib/platform/core/clock';
import { testCommand } from '@/testing/command';
import { makeOwing } from '@/testing/data/due-deliveries';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

// The tests start many commands, which takes time on a busy machine.
const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const URL = 'http://127.0.0.1:9/bili';
const ZONED = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
let shop: TestMerchant;

beforeAll(async () => {
  shop = await makeOwing(runtime(), { count: 5, url: URL });
});

const of = (one: TestMerchant, environment = 'sandbox') => ['--merchant', one.merchant.slug, '--environment', environment];
const setEndpoint = (assignment: string) =>
  runtime().db.query({ text: `UPDATE webhook_endpoint SET ${assignment} WHERE merchant_id = $1 AND environment = 'sandbox'` }, [
    shop.merchant.id,
  ]);
const lines = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await bili(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
};

describe('an endpoint', () => {
  test('without an address is shown and cannot be paused', async () => {
    const bare = await makeMerchant(runtime());
    expect(await lines('webhook', 'show', ...of(bare))).toEqual([
      'address:       none',
      'status:        no address: deliveries are stored but not sent',
      'last success:  never',
      'waiting:       0 pending, 0 being sent, 0 waiting for an earlier one',
      'not delivered: 0 exhausted, 0 never sent',
    ]);
    const refusal = 'There is no webhook address to pause or resume. "bili webhook set" sets one.\n';
    expect(await bili('webhook', 'pause', ...of(bare))).toEqual({ code: 1, stdout: '', stderr: refusal });
    expect(await bili('webhook', 'resume', ...of(bare))).toEqual({ code: 1, stdout: '', stderr: refusal });
  });

  test('is paused and resumed, and shows the number of waiting deliveries', async () => {
    expect(await json('webhook', 'pause', ...of(shop))).toEqual({ paused: true });
    expect(await bili('webhook', 'pause', ...of(shop))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The endpoint is already paused or disabled. "bili webhook show" shows since when.\n',
    });
    expect(await json('webhook', 'show', ...of(shop))).toMatchObject({
      url: URL,
      status: 'paused',
      hold: { kind: 'paused', since: ZONED },
      waiting: 5,
      undelivered: { PENDING: 5 },
    });
    expect(await lines('webhook', 'resume', ...of(shop))).toEqual(['Resumed. 5 deliveries are waiting.']);
  });

  test('that fails shows since when, why, and when the next probe is sent', async () => {
    await setEndpoint(
      "failing_since = now() - interval '25 hours', failure_count = 40, warnings_given = 2, breaker_step = 4, rest_until = now() + interval '1 minute'",
    );
    const shown = await lines('webhook', 'show', ...of(shop));
    expect(shown).toContainEqual(expect.stringMatching(/^status: {8}active, failing since .*Z$/));
    expect(shown).toContainEqual(expect.stringMatching(/^failing since: .*Z, 40 times in a row, 2 of 3 warnings sent$/));
    expect(shown).toContainEqual(expect.stringMatching(/^next probe: {4}.*Z; when your server works again, "bili webhook test"/));
    await setEndpoint("status = 'disabled', disabled_reason = 'gone'");
    expect(await lines('webhook', 'list')).toEqual([
      expect.stringMatching(new RegExp(`^${shop.merchant.slug}  sandbox  ${URL}  disabled since .*Z \\(it answered 410 Gone\\)$`)),
    ]);
    expect(await json('webhook', 'list', '--environment', 'live')).toEqual([]);
    expect(JSON.stringify(await json('webhook', 'list'))).not.toContain('ncrypted');
    await bili('webhook', 'resume', ...of(shop));
    expect(await json('webhook', 'show', ...of(shop))).toMatchObject({ status: 'active', failingSince: null, hold: null });
  });

  test('that is stopped is active with a new address, and stays stopped with the old one', async () => {
    const set = (url: string) => json('webhook', 'set', ...of(shop), '--url', url);
    await setEndpoint("status = 'disabled', disabled_reason = 'failing'");
    expect(await set(URL)).toMatchObject({ url: URL, status: 'disabled' });
    const resume = `"bili webhook resume --merchant ${shop.merchant.slug} --environment sandbox"`;
    expect(await lines('webhook', 'set', ...of(shop), '--url', URL)).toContainEqual(expect.stringContaining(resume));
    expect(await set(`${URL}/2`)).toMatchObject({ url: `${URL}/2`, status: 'active' });
    expect(await json('webhook', 'show', ...of(shop))).toMatchObject({ status: 'active', hold: null });
    await json('webhook', 'pause', ...of(shop));
    expect(await set(URL)).toMatchObject({ url: URL, status: 'paused' });
    await json('webhook', 'resume', ...of(shop));
  });

  test('gets a new secret, with or without an overlap', async () => {
    const { secret: first } = z.object({ secret: z.string() }).parse(await json('webhook', 'secret', ...of(shop)));
    const rotated = z.object({ secret: z.string(), previousUntil: z.iso.datetime() }).parse(await json('webhook', 'rotate', ...of(shop)));
    const hours = (new Date(rotated.previousUntil).getTime() - runtime().clock().getTime()) / HOUR_MS;
    expect(Math.round(hours * 10) / 10).toBe(24);
    expect(await json('webhook', 'secret', ...of(shop))).toEqual({
      secret: rotated.secret,
      previous: { secret: first, until: rotated.previousUntil },
    });
    expect(await lines('webhook', 'secret', ...of(shop))).toEqual([rotated.secret, `${first}  (also used until ${rotated.previousUntil})`]);
    expect(await bili('webhook', 'rotate', ...of(shop), '--overlap-hours', '1')).toMatchObject({
      code: 1,
      stderr: `The secret was rotated before. Both secrets are used until ${rotated.previousUntil}. To end this now, use --overlap-hours 0.\n`,
    });
    const last = await json('webhook', 'rotate', ...of(shop), '--overlap-hours', '0');
    expect(last).toMatchObject({ previousUntil: null });
    expect(await json('webhook', 'secret', ...of(shop))).toMatchObject({ ...z.object({ secret: z.string() }).parse(last), previous: null });
  });
});

test.each([
  [
    ['webhook', 'show', '--merchant', 'nobody', '--environment', 'live'],
    1,
    'There is no merchant "nobody". "bili merchant list" shows all.',
  ],
  [
    ['webhook', 'rotate', '--merchant', 'x', '--environment', 'live', '--overlap-hours', '-1'],
    2,
    'It must be a whole number from 0 to 720',
  ],
])('%j is refused', async (args, code, sentence) => {
  expect(await bili(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) });
});
