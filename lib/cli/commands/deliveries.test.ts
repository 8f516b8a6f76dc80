import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deliverWebhook } from '@/lib/gateway/webhooks/deliver/deliver-webhook';
import { testCommand } from '@/testing/command';
import { claimSome } from '@/testing/data/deliveries';
import { makeOwing } from '@/testing/data/due-deliveries';
import { type TestMerchant, testRuntime } from '@/testing/runtime';

// The tests start many commands, which takes time on a busy machine.
const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const URL = 'http://127.0.0.1:9/bili';
const NOBODY = '01a1fb9d-ee11-759b-b3eb-5271f9b58de2';
const ZONED = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
let shop: TestMerchant;

beforeAll(async () => {
  shop = await makeOwing(runtime(), { count: 5, url: URL });
});

const of = (one: TestMerchant, environment = 'sandbox') => ['--merchant', one.merchant.slug, '--environment', environment];
const lines = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await bili(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
};

describe('deliveries', () => {
  const period = ['--from', '2020-01-01', '--to', '2099-12-31'];
  const row = z.object({ id: z.string() });
  const listIds = async (...args: string[]) =>
    z
      .object({ deliveries: z.array(row) })
      .parse(await json('deliveries', 'list', ...of(shop), ...args))
      .deliveries.map(({ id }) => id);

  test('are shown with every delivery attempt and its error', async () => {
    await makeOwing(runtime(), { count: 1, url: URL, overdueMs: 60_000 });
    const [delivery] = await claimSome(runtime(), 1);
    if (!delivery) throw new Error('one is due');
    await deliverWebhook(runtime(), delivery);
    const shown = await lines('deliveries', 'show', delivery.id);
    expect(shown[0]).toMatch(/ {2}PENDING {2}FULLY_PAID {2}"OWED-1" {2}.*Z {2}1 attempt, next at .*Z$/);
    expect(shown).toContainEqual(expect.stringMatching(/^1\. .*Z {2}no answer {2}automatic$/));
    expect(shown).toContainEqual(expect.stringMatching(/^ {2}http:\/\/127\.0\.0\.1:9\/bili.*total \d+ ms$/));
    expect(shown).toContainEqual(expect.stringMatching(/^ {2}next attempt from .*Z on$/));
    expect(shown.join('\n')).toMatch(/refuse/);
    expect(await json('deliveries', 'show', delivery.id)).toMatchObject({ attempts: [{ number: 1, httpStatus: null, startedAt: ZONED }] });
  });

  test('of a paused or disabled endpoint show which command resumes them', async () => {
    const stopped = await makeOwing(runtime(), { count: 1, url: URL, overdueMs: 120_000 });
    const [delivery] = await claimSome(runtime(), 1);
    if (!delivery) throw new Error('one is due');
    await deliverWebhook(runtime(), delivery);
    await bili('webhook', 'pause', ...of(stopped));
    const waits = / {2}1 attempt, waits until the endpoint is resumed$/;
    const paused = `Nothing is sent until the endpoint is resumed with "bili webhook resume ${of(stopped).join(' ')}". It has been paused since `;
    expect(await lines('deliveries', 'list', ...of(stopped))).toEqual([
      expect.stringMatching(waits),
      expect.stringMatching(new RegExp(`^${paused}.*Z\\.$`)),
    ]);
    await runtime().db.query({ text: "UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'gone' WHERE status = 'paused'" });
    const shown = await lines('deliveries', 'show', delivery.id);
    expect(shown[0]).toMatch(waits);
    expect(shown[1]).toMatch(/^ {2}Nothing is sent until .* It has been disabled since .*Z \(it answered 410 Gone\)\.$/);
    expect(shown).toContain('  next attempt once the endpoint is resumed');
    expect(shown.join('\n')).not.toContain('next attempt from');
    expect(await json('deliveries', 'show', delivery.id)).toMatchObject({ state: 'PENDING', hold: { reason: 'gone' }, nextTry: null });
    expect((await lines('deliveries', 'redeliver', delivery.id))[0]).toMatch(
      / will be sent again once the endpoint is resumed\. Nothing is sent/,
    );
    await bili('webhook', 'resume', ...of(stopped));
  });

  test('are not listed if --before is not a delivery', async () => {
    expect(await bili('deliveries', 'list', ...of(shop), '--before', 'nonsense')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('must be the id of a delivery'),
    });
  });

  test('are listed, shown and sent again', async () => {
    const [id = ''] = await listIds();
    await runtime().db.query(
      { text: "UPDATE webhook_delivery SET state = 'EXHAUSTED', due_at = NULL, attempt_count = 16, failure_count = 16 WHERE id = $1" },
      [id],
    );
    expect(await listIds('--failed')).toEqual([id]);
    expect(await listIds('--status', 'EXHAUSTED', 'UNSENT', ...period)).toEqual([id]);
    expect(await listIds('--before', id)).toHaveLength(4);
    expect(await lines('deliveries', 'list', ...of(shop), '--failed')).toEqual([
      expect.stringMatching(new RegExp(`^${id}  EXHAUSTED  FULLY_PAID  "OWED-\\d"  .*Z  16 attempts$`)),
    ]);
    expect(await lines('deliveries', 'list', ...of(shop, 'live'))).toEqual(['No deliveries match.']);
    const shown = await lines('deliveries', 'show', id);
    expect(shown).toContain(`  webhook-id: msg_${id}`);
    expect(shown).toContainEqual(expect.stringMatching(/^ {2}body: \{"bill":\{.*"FULLY_PAID".*\}\}$/));
    expect(await lines('deliveries', 'redeliver', id)).toEqual([`${id} will be sent again. It is sent now.`]);
    expect(await json('deliveries', 'redeliver', id)).toEqual({ id, redelivered: true, hold: null });
    expect(await json('deliveries', 'show', id)).toMatchObject({
      state: 'PENDING',
      trigger: 'manual',
      triggeredBy: 'operator:test',
      attempts: [],
    });
  });

  test('of a period are counted, sent again and cancelled', async () => {
    await runtime().db.query({
      text: "UPDATE webhook_delivery SET state = 'EXHAUSTED', due_at = NULL, attempt_count = 16, failure_count = 16 WHERE state = 'PENDING'",
    });
    const many = ['deliveries', 'redeliver-many', ...of(shop), ...period];
    expect(await lines(...many, '--dry-run')).toEqual([
      expect.stringMatching(/^EXHAUSTED: 5, created from .*Z to .*Z$/),
      '5 would be sent again.',
    ]);
    expect(await lines('deliveries', 'runs', ...of(shop))).toEqual(['There are no bulk redeliveries.']);
    expect(await bili(...many, '--status', 'UNSENT')).toMatchObject({
      code: 1,
      stderr: 'No deliveries match in that period, so nothing is sent.\n',
    });
    await bili('webhook', 'pause', ...of(shop));
    const started = await json(...many, '--per-second', '2');
    expect(started).toMatchObject({ total: 5, hold: { kind: 'paused', since: ZONED } });
    const { id } = row.parse(started);
    expect(await json('deliveries', 'runs', ...of(shop))).toMatchObject([{ id, state: 'RUNNING', total: 5, started: 0, perSecond: 2 }]);
    expect(await lines('deliveries', 'run', id)).toEqual([
      `${id}  RUNNING  0 of 5 sent again: 0 delivered, 0 waiting, 0 failed`,
      expect.stringMatching(/^ {2}EXHAUSTED, UNSENT created from .*Z until before .*Z, 2 a second$/),
      expect.stringMatching(/^ {2}requested by operator:test at .*Z$/),
    ]);
    expect(await lines('deliveries', 'cancel', id)).toEqual(['Cancelled. 0 queued deliveries returned to their earlier state.']);
    expect(await bili('deliveries', 'cancel', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'It has ended, so there is nothing to cancel.\n',
    });
  });
});

describe('refusals', () => {
  const noDelivery = 'There is no such delivery. "bili deliveries list" shows the deliveries of a merchant.';
  const noRun = 'There is no such bulk redelivery. "bili deliveries runs" lists those of a merchant.';
  test.each([
    [['deliveries', 'show', NOBODY], noDelivery],
    [['deliveries', 'redeliver', 'x'], noDelivery],
    [['deliveries', 'run', NOBODY], noRun],
    [['deliveries', 'cancel', 'x'], noRun],
    [
      ['webhook', 'show', '--merchant', 'nobody', '--environment', 'live'],
      'There is no merchant "nobody". "bili merchant list" shows all.',
    ],
  ])('%j is explained', async (args, sentence) => {
    expect(await bili(...args)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  });

  const scope = ['--merchant', 'x', '--environment', 'sandbox'];
  test.each([
    [['deliveries', 'redeliver-many', ...scope, '--from', '2026-11-01'], "required option '--to <when>' not specified"],
    [['deliveries', 'redeliver-many', ...scope, '--from', 'x', '--to', '2026-11-01'], 'must be a day like'],
    [
      ['deliveries', 'redeliver-many', ...scope, '--from', '2026-11-02', '--to', '2026-11-02', '--per-second', '501'],
      'It must be a whole number from 1 to 500',
    ],
    [
      ['deliveries', 'redeliver-many', ...scope, '--from', '2026-11-02', '--to', '2026-11-02', '--status', 'PENDING'],
      'Allowed choices are EXHAUSTED, UNSENT, DELIVERED',
    ],
    [['deliveries', 'list', ...scope, '--from', '2026-11-01'], 'Give both --from and --to, or neither.'],
  ])('%j is a usage error', async (args, sentence) => {
    expect(await bili(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});
