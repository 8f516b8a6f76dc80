import { beforeEach, expect, test } from 'vitest';
import { RefusalCount } from '@/lib/entry/http/refusals';
import { startHeartbeat } from '@/lib/entry/processes/start-heartbeat';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { createRegistry } from '@/lib/providers/registry';
import { makeAccount, makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { examine } from './examine';

const runtime = testRuntime();
const rows = (text: string, ...values: unknown[]) => runtime().db.query({ text }, values);

async function found(name: string) {
  const findings = await examine({ ...runtime(), providers: createRegistry(runtime(), null) });
  return findings.find((finding) => finding.name === name);
}

beforeEach(() => rows('UPDATE push_attempt SET due_at = NULL'));

test('reports credentials that cannot be decrypted, and checks the other accounts as well', async () => {
  const unreadable = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  await makeAccount(runtime(), { provider: 'no-such-provider', credentials: '{}', callbackUrl: '' });
  await rows("UPDATE provider_account SET encrypted_credentials = decode(repeat('01', 40), 'hex') WHERE id = $1", unreadable.id);
  expect(await found('accounts_usable')).toMatchObject({
    level: 'wrong',
    details: expect.arrayContaining([
      expect.stringMatching(/^mpesa: .*cannot be decrypted/),
      expect.stringMatching(/^no-such-provider: this version does not know/),
    ]),
  });
});

test('reports two owners with one till, and a receipt number in two tills until one payment is corrected to 0', async () => {
  const { merchant } = await makeMerchant(runtime());
  const [own, other] = [
    await makeAccount(runtime(), { provider: 'snippe', credentials: '{}', callbackUrl: '' }),
    await makeAccount(runtime(), { provider: 'snippe', credentials: '{}', callbackUrl: '' }),
  ];
  const both = [own.id, other.id];
  await rows('UPDATE provider_account SET merchant_id = $2, till_id = id WHERE id = $1', other.id, merchant.id);
  expect(await found('tills_separate')).toMatchObject({ level: 'ok' });
  await rows("UPDATE provider_account SET till_identity = 'apiKey abc' WHERE id = ANY ($1)", both);
  const details = [expect.stringContaining(`snippe of the operator (${own.id}), snippe of ${merchant.slug} (${other.id})`)];
  expect(await found('tills_separate')).toMatchObject({ level: 'wrong', details });

  const ids = both.map(() => newId(runtime()));
  const payment = { transactionId: 'TWICE', amount: 500n, mobile: null, recordedAt: runtime().clock() };
  for (const [index, account] of [own, other].entries())
    await insertUnmatchedPayment(runtime().db, { ...payment, id: ids[index] ?? '', account });
  expect(await found('receipts_in_one_till')).toMatchObject({ level: 'note', details: [expect.stringContaining('TWICE is in 2 tills')] });
  const correction = { entryId: ids[1] ?? '', to: 0n, reason: 'booked twice', actor: TEST_OPERATOR, reviewId: null };
  expect(await correctPayment(runtime(), correction)).toMatchObject({ ok: true });
  expect(await found('receipts_in_one_till')).toMatchObject({ level: 'ok' });
  await correctPayment(runtime(), { ...correction, entryId: ids[0] ?? '' });
  await rows('UPDATE provider_account SET disabled_at = now() WHERE id = ANY ($1)', both);
  expect(await found('tills_separate')).toMatchObject({ level: 'ok' });
});

test('notes which live accounts are unproven, and what is missing', async () => {
  expect(await found('accounts_proven')).toMatchObject({ level: 'ok' });
  const { id } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  await rows("UPDATE provider_account SET environment = 'live', label = 'Till' WHERE id = $1", id);
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0754000001' });
  const prove = (...kinds: string[]) =>
    rows(
      `INSERT INTO provider_proof (account_id, kind, attempt_id, at)
       SELECT $1, kind::proof_kind, a.id, now() FROM unnest($3::text[]) AS kind, push_attempt a WHERE a.bill_id = $2`,
      id,
      billId,
      kinds,
    );
  await prove('callback', 'refusal');
  expect(await found('accounts_proven')).toMatchObject({
    level: 'note',
    details: [`Till (${id}) is unproven: its history does not contain a payment found by status query alone, a settled unknown outcome`],
  });
  await prove('query', 'unknown');
  expect(await found('accounts_proven')).toMatchObject({ level: 'ok' });
  await rows("UPDATE provider_account SET environment = 'sandbox' WHERE id = $1", id);
});

test('does not report attempts that wait for a running call or for a failing provider', async () => {
  const merchant = await makeMerchant(runtime());
  const bills = [
    await makeBill(runtime(), merchant, { mobile: '0754000001' }),
    await makeBill(runtime(), merchant, { mobile: '0754000001' }),
  ];
  const { id } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  const now = runtime().clock();
  await rows('UPDATE push_attempt SET due_at = $2, call_account_id = $3 WHERE bill_id = ANY ($1)', bills, addMs(now, -10 * MINUTE_MS), id);
  expect(await found('workers_work')).toMatchObject({ level: 'wrong' });
  await rows(
    "UPDATE push_attempt SET state = 'SENDING', call_token = 1, lease_until = $2 WHERE bill_id = $1",
    bills[0],
    addMs(now, MINUTE_MS),
  );
  expect(await found('workers_work')).toMatchObject({ level: 'ok' });
  await rows('UPDATE push_attempt SET lease_until = $2 WHERE bill_id = $1', bills[0], addMs(now, -3 * MINUTE_MS));
  expect(await found('workers_work')).toMatchObject({ level: 'wrong' });
  await rows("INSERT INTO provider_health (account_id, kind, failures) VALUES ($1, 'send', 5)", id);
  expect(await found('workers_work')).toMatchObject({ level: 'ok' });
});

test('does not report deliveries that wait for a running call', async () => {
  const merchant = await makeMerchant(runtime());
  const { merchantId } = merchant.scope('sandbox');
  await rows(
    "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/', status_since = now() - interval '1 hour' WHERE merchant_id = $1",
    merchantId,
  );
  const bills = [await makeBill(runtime(), merchant), await makeBill(runtime(), merchant)];
  const now = runtime().clock();
  await rows(
    `INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
     SELECT gen_random_uuid(), $1, 'sandbox', e.id, b.id, 1, 'FULLY_PAID', '{}', 'PENDING', $2, $2
     FROM webhook_endpoint e JOIN bill b ON b.merchant_id = $1 WHERE e.merchant_id = $1 AND e.environment = 'sandbox'`,
    merchantId,
    addMs(now, -10 * MINUTE_MS),
  );
  expect(await found('workers_work')).toMatchObject({ level: 'wrong' });
  await rows("UPDATE webhook_delivery SET state = 'SENDING', lease_until = $2 WHERE bill_id = $1", bills[0], addMs(now, MINUTE_MS));
  expect(await found('workers_work')).toMatchObject({ level: 'ok' });
});

test('reports endpoints that are disabled or failing', async () => {
  expect(await found('webhooks')).toMatchObject({ level: 'ok' });
  await rows("UPDATE webhook_endpoint SET failure_count = 3, failing_since = now() WHERE environment = 'sandbox' AND url IS NOT NULL");
  await rows("UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'gone' WHERE environment = 'live' AND url IS NOT NULL");
  expect(await found('webhooks')).toMatchObject({
    level: 'note',
    details: [
      expect.stringMatching(/ live: disabled since .* because it answered 410$/),
      expect.stringMatching(/ sandbox: 3 attempts in a row have failed since /),
    ],
  });
});

test('reports webhook addresses that wait for approval', async () => {
  expect(await found('proposals')).toMatchObject({ level: 'ok' });
  const { merchant } = await makeMerchant(runtime());
  await rows(
    `INSERT INTO webhook_proposal (merchant_id, environment, url, proposed_by, proposed_at)
     VALUES ($1, 'live', 'https://shop.example.com/bili', 'user:asha@example.com', '2026-11-25T10:00:00Z')`,
    merchant.id,
  );
  expect(await found('proposals')).toMatchObject({
    level: 'note',
    details: [`${merchant.slug}: https://shop.example.com/bili, proposed 2026-11-25T10:00:00.000Z; see "bili webhook proposals"`],
  });
  await rows("UPDATE webhook_proposal SET state = 'approved', decided_at = now()");
  expect(await found('proposals')).toMatchObject({ level: 'ok' });
});

test('reports merchants that asked for activation, until they are active', async () => {
  expect(await found('activations')).toMatchObject({ level: 'ok' });
  const { merchant } = await makeMerchant(runtime());
  const change = (status: string) =>
    rows(
      "UPDATE merchant_profile SET status = $2, activation_requested_at = now() WHERE merchant_id = $1 AND environment = 'live'",
      merchant.id,
      status,
    );
  await change('pending');
  expect(await found('activations')).toMatchObject({
    level: 'note',
    details: [expect.stringContaining(`${merchant.slug} live: asked 20`)],
  });
  await change('active');
  expect(await found('activations')).toMatchObject({ level: 'ok' });
});

test('reports a check that throws, and runs the others', async () => {
  await runtime().owner.query({ text: 'ALTER TABLE review RENAME TO review_away' });
  expect(await found('ledger_examined')).toMatchObject({ level: 'wrong', details: [expect.stringContaining('review')] });
  expect(await found('unmatched')).toMatchObject({ level: 'ok' });
  await runtime().owner.query({ text: 'ALTER TABLE review_away RENAME TO review' });
  expect(await found('ledger_examined')).toBeUndefined();
});

test('says when the workers last checked the whole ledger; --quick does not check it again', async () => {
  const quickly = async () => {
    const findings = await examine({ ...runtime(), providers: createRegistry(runtime(), null), quick: true });
    const named = (name: string) => findings.find((one) => one.name === name);
    return { names: findings.map(({ name }) => name), checked: named('ledger_checked'), unmatched: named('unmatched') };
  };
  expect((await quickly()).checked).toMatchObject({ level: 'note' });
  const broken = [{ name: 'paid_is_allocated', count: 2, first: [{ subject: 'x', detail: 'wrong' }] }];
  const end = (found: unknown) =>
    rows('UPDATE ledger_check SET covered_to = $1, ended_at = $1, broken = $2', runtime().clock(), JSON.stringify(found));
  await end([]);
  const { names, checked } = await quickly();
  expect(checked).toMatchObject({ level: 'ok', text: expect.stringContaining(runtime().clock().toISOString().slice(0, 10)) });
  expect(names).not.toContain('paid_is_allocated');
  expect(await found('paid_is_allocated')).toMatchObject({ level: 'ok' });
  await end(broken);
  expect((await quickly()).checked).toMatchObject({
    level: 'wrong',
    details: expect.arrayContaining([expect.stringContaining('x: wrong')]),
  });
  await rows("UPDATE ledger_check SET broken = $1 WHERE kind = 'unmatched'", JSON.stringify([{ name: 'unmatched', count: 7, first: [] }]));
  expect((await quickly()).unmatched).toMatchObject({ details: [expect.stringContaining('7')] });
  expect(await found('unmatched')).toMatchObject({ level: 'ok' });
  // A complete check by this command finds that all is well by now.
  expect(await found('ledger_checked')).toMatchObject({ level: 'note' });
  await end([]);
});

test('reports missing processes and a wrong clock as errors, and another version as a note', async () => {
  expect(await found('worker_lives')).toMatchObject({ level: 'wrong' });
  const web = await startHeartbeat(runtime(), 'web');
  expect(await found('worker_lives')).toMatchObject({ level: 'wrong' });
  expect(await found('web_lives')).toMatchObject({ level: 'ok' });
  await web.stop();
  expect(await found('web_lives')).toMatchObject({ level: 'wrong' });
  const heartbeat = await startHeartbeat(runtime(), 'worker');
  expect(await found('worker_lives')).toMatchObject({ level: 'ok' });
  expect(await found('processes_agree')).toMatchObject({ level: 'ok' });
  expect(await found('process_clocks')).toMatchObject({ level: 'ok' });
  expect(await found('processes_work')).toMatchObject({ level: 'ok' });
  await rows(
    `INSERT INTO heartbeat (id, role, version, host, pid, clock_ahead_ms, started_at, problem, seen_at)
     SELECT gen_random_uuid(), 'worker', '0.0.1', 'other', 7, -9000, now(), 'no names', now() + interval '10 seconds'`,
  );
  const name = 'worker 7 on other';
  expect(await found('processes_agree')).toMatchObject({ level: 'note', details: [expect.stringContaining(`${name} has version 0.0.1`)] });
  expect(await found('process_clocks')).toMatchObject({ level: 'wrong', details: [expect.stringContaining(`of ${name} is 9 s behind`)] });
  expect(await found('processes_work')).toMatchObject({ level: 'wrong', details: [`${name}: no names`] });
  await heartbeat.stop();
  expect(await rows("SELECT 1 FROM heartbeat WHERE host <> 'other'")).toEqual([]);
  await rows("UPDATE heartbeat SET seen_at = now() - interval '61 seconds'");
  expect(await found('worker_lives')).toMatchObject({ level: 'wrong' });
  await rows('DELETE FROM heartbeat');
});

test('reports forms that a web process refused because of their Origin, as a note', async () => {
  const refusals = { foreignForms: new RefusalCount(), unknownCallbacks: new RefusalCount() };
  const heartbeat = await startHeartbeat(runtime(), 'web', refusals);
  expect(await found('forms_accepted')).toMatchObject({ level: 'ok' });
  const at = runtime().clock();
  const text = 'Origin https://pay.example, Host bili-web:3000';
  for (let n = 0; n < 3; n += 1) refusals.foreignForms.add(at, text);
  const again = await startHeartbeat(runtime(), 'web', refusals);
  expect(await found('forms_accepted')).toMatchObject({
    level: 'note',
    details: [expect.stringContaining(`refused 3, the last one at ${at.toISOString()} (${text})`)],
  });
  await heartbeat.stop();
  await again.stop();
});

test('reports callbacks to unknown addresses for a day, as a note', async () => {
  const refusals = { foreignForms: new RefusalCount(), unknownCallbacks: new RefusalCount() };
  const at = runtime().clock();
  refusals.unknownCallbacks.add(at, 'provider snippe, unknown_token');
  const heartbeat = await startHeartbeat(runtime(), 'web', refusals);
  expect(await found('callbacks_known')).toMatchObject({
    level: 'note',
    details: [expect.stringContaining(`refused 1, the last one at ${at.toISOString()} (provider snippe, unknown_token)`)],
  });
  await heartbeat.stop();
  refusals.unknownCallbacks.add(addMs(runtime().clock(), -DAY_MS), 'provider snippe, unknown_token');
  const later = await startHeartbeat(runtime(), 'web', refusals);
  expect(await found('callbacks_known')).toMatchObject({ level: 'ok' });
  await later.stop();
});

test('reports live merchants without an account, and queued attempts whose network no account serves', async () => {
  const merchant = await makeMerchant(runtime());
  const live = async () => {
    const settings = { ...runtime().settings, defaultBaseUrls: false };
    const findings = await examine({ ...runtime(), settings, providers: createRegistry(runtime(), null) });
    return findings.find(({ name }) => name === 'live_served');
  };
  expect(await live()).toMatchObject({ level: 'wrong', details: [expect.stringContaining('provider add --environment live')] });
  expect(await found('live_served')).toMatchObject({ level: 'note' });
  expect(await found('networks_served')).toMatchObject({ level: 'ok' });
  await makeBill(runtime(), merchant, { mobile: '0754000001', environment: 'live' });
  runtime().advance(1);
  expect(await found('networks_served')).toMatchObject({
    level: 'wrong',
    details: [expect.stringMatching(new RegExp(`^vodacom: waiting attempts of ${merchant.merchant.slug}: 1, the oldest since `))],
  });
  const { id } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  await rows("UPDATE provider_account SET environment = 'live', networks = '{vodacom}' WHERE id = $1", id);
  expect(await found('networks_served')).toMatchObject({ level: 'ok' });
  expect(await live()).toMatchObject({ level: 'ok' });
});

test('reports attempts that have been unknown for more than half an hour as a note', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0754000001' });
  const unknownFor = (minutes: number) =>
    rows(
      "UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = $2 WHERE bill_id = $1",
      billId,
      addMs(runtime().clock(), -minutes * MINUTE_MS),
    );
  await unknownFor(29);
  expect(await found('unknown_prompts')).toMatchObject({ level: 'ok' });
  await unknownFor(31);
  expect(await found('unknown_prompts')).toMatchObject({
    level: 'note',
    details: [expect.stringMatching(/^unknown attempts: 1, the oldest since .*bili attempt unknown/)],
  });
});

test('reports attempts whose work fails repeatedly, also while a worker holds a lease', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0754000001' });
  const lease = addMs(runtime().clock(), MINUTE_MS);
  const lapse = (times: number) =>
    rows('UPDATE push_attempt SET lapsed_leases = $2, lease_until = $3 WHERE bill_id = $1', billId, times, lease);
  await lapse(2);
  expect(await found('work_ends')).toMatchObject({ level: 'ok' });
  await lapse(3);
  expect(await found('work_ends')).toMatchObject({ level: 'wrong', details: [expect.stringContaining('repeatedly: 1;')] });
});
