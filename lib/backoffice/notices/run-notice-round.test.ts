import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings } from '@/lib/backoffice/merchants/change-settings';
import { addDays, startOf } from '@/lib/backoffice/overview/periods';
import { refundOutside } from '@/lib/gateway/refunds/ask-refund';
import { openReview } from '@/lib/gateway/reviews/store';
import { shopMark } from '@/lib/identity/merchants/brand-rules';
import type { Notify } from '@/lib/identity/merchants/notify-rules';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { newId } from '@/lib/platform/core/ids';
import { claimDueMails, sendMail } from '@/lib/platform/mail/send-mail';
import { accessOf } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { leaveUnmatched } from '@/testing/data/waiting-money';
import { testMailServer } from '@/testing/fakes/mail-server';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { claimNoticeRounds, runNoticeRound } from './run-notice-round';

const runtime = testRuntime();
const server = testMailServer();
const rows = (text: string, ...values: unknown[]) => runtime().db.query({ text }, values);
let shop: TestMerchant;

/** Returns the runtime of a worker. Workers share only the database. */
const worker = () => {
  const mail = { server: server.url('smtp'), from: { name: 'Bili', address: 'bili@example.com' } };
  return { ...runtime(), settings: { ...runtime().settings, mail } };
};

async function runDueRounds(): Promise<void> {
  for (let rounds = await claimNoticeRounds(worker(), 50); rounds.length > 0; rounds = await claimNoticeRounds(worker(), 50))
    await Promise.all(rounds.map((round) => runNoticeRound(worker(), round)));
}

/** Advances the clock. Then lets two concurrent workers run all due rounds, and sends the mails. Returns the mails that `to` received. */
async function mailsAfter(ms: number, to = shop.email) {
  runtime().advance(ms);
  server.received.length = 0;
  await Promise.all([runDueRounds(), runDueRounds()]);
  await Promise.all((await claimDueMails(worker(), 500)).map((mail) => sendMail(worker(), mail, new AbortController().signal, shopMark)));
  const own = server.received.filter((mail) => mail.to.includes(to));
  return own.map((mail) => ({ subject: mail.header('Subject').replaceAll('\u00a0', ' '), text: mail.text.replaceAll('\u00a0', ' ') }));
}

async function choose(notify: Partial<Notify>, language: 'sw' | 'en' | null = 'en'): Promise<void> {
  await changeSettings(runtime(), await accessOf(runtime(), shop, shop.email), { change: { notify, language } });
}

const billWithPrompt = (reference: string) => makeBill(runtime(), shop, { amount: 5000, reference, mobile: '0754000001' });
const page = (path: string, environment = 'sandbox') =>
  `${runtime().settings.LIVE_BASE_URL.origin}/m/${shop.merchant.slug}/${environment}/${path}`;
const OFF = { on: false, addresses: [] };

// The tests start at noon in East Africa, so that midnight does not interfere.
beforeAll(() => {
  const now = runtime().clock();
  runtime().advance(addMs(startOf(addDays(eastAfricanDay(now), 1)), 12 * HOUR_MS).getTime() - now.getTime());
});

beforeEach(async () => {
  await runDueRounds();
  shop = await makeMerchant(runtime(), 'Mama Asha');
  await choose({});
  await runDueRounds();
});

describe('notices about money', () => {
  test('are sent once, again only for new items, and at most once a day', async () => {
    expect(await mailsAfter(0)).toEqual([]);
    const bill = await billWithPrompt('TWICE');
    await leaveUnmatched(runtime(), shop, bill, 1_250_000n);
    const [mail, ...others] = await mailsAfter(20 * MINUTE_MS);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('A payment needs your attention: “Mama Asha” (sandbox)');
    expect(mail?.text).toContain('TZS 12,500 · TWICE · ');
    expect(mail?.text).toContain(page(`bills/${bill}`));
    expect(await mailsAfter(2 * DAY_MS)).toEqual([]);
    await leaveUnmatched(runtime(), shop, bill, 200_000n);
    expect(await mailsAfter(20 * MINUTE_MS)).toHaveLength(1);
    await leaveUnmatched(runtime(), shop, bill, 300_000n);
    await leaveUnmatched(runtime(), shop, bill, 400_000n);
    expect(await mailsAfter(23 * HOUR_MS)).toEqual([]);
    const [both] = await mailsAfter(2 * HOUR_MS);
    expect(both?.subject).toBe('2 payments need your attention: “Mama Asha” (sandbox)');
    expect(both?.text).toMatch(/TZS 3,000 .*TZS 4,000 .*2 payments from earlier e-mails still need attention\./s);
    expect(both?.text).not.toContain('TZS 12,500');
  });

  test('include attempts with an unknown outcome, but not items that were settled before the check', async () => {
    const bill = await billWithPrompt('LOST');
    const [attempt] = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM push_attempt WHERE bill_id = $1' }, [bill]);
    const review = { environment: 'sandbox', kind: 'attempt_unresolved', data: {}, openedAt: runtime().clock() } as const;
    await openReview(runtime().db, { ...review, id: newId(runtime()), merchantId: shop.merchant.id, attemptId: attempt?.id ?? '' });
    const settled = await leaveUnmatched(runtime(), shop, await billWithPrompt('TWICE'));
    await refundOutside(runtime(), { paymentId: settled, amount: null, reason: 'sent back', actor: TEST_OPERATOR });
    const [mail] = await mailsAfter(20 * MINUTE_MS);
    expect(mail?.text).toMatch(
      /TZS 5,000 · LOST · .*\nWe do not know whether this payment request was paid, and the operator is asking the network\./,
    );
    expect(mail?.text).not.toContain('TWICE');
  });

  test('have both languages if none is chosen, and contain only the first few of many items', async () => {
    await choose({}, null);
    const bill = await billWithPrompt('MANY');
    for (let n = 0; n < 12; n += 1) await leaveUnmatched(runtime(), shop, bill);
    const [mail] = await mailsAfter(20 * MINUTE_MS);
    expect(mail?.subject).toBe(
      'Malipo 12 yanahitaji kuangaliwa: “Mama Asha” (majaribio) / 12 payments need your attention: “Mama Asha” (sandbox)',
    );
    expect(mail?.text).toMatch(/na mambo mengine 2\n.*---\n.*and 2 more items\n/s);
  });
});

test('no notice is sent while a topic is off or has no recipients; a later recipient gets it', async () => {
  await choose({ money: OFF });
  await leaveUnmatched(runtime(), shop, await billWithPrompt('TWICE'));
  expect(await mailsAfter(HOUR_MS)).toEqual([]);
  await rows('DELETE FROM membership WHERE merchant_id = $1', shop.merchant.id);
  await rows(`UPDATE merchant SET notify = '{}' WHERE id = $1`, shop.merchant.id);
  expect(await mailsAfter(HOUR_MS)).toEqual([]);
  await rows(`UPDATE merchant SET notify = '{"money": ["office@example.com"]}' WHERE id = $1`, shop.merchant.id);
  expect(await mailsAfter(HOUR_MS, 'office@example.com')).toHaveLength(1);
});

test('without a mail server nothing is checked, and the notice is sent later', async () => {
  await leaveUnmatched(runtime(), shop, await billWithPrompt('TWICE'));
  runtime().advance(HOUR_MS);
  expect(await claimNoticeRounds(runtime(), 50)).toEqual([]);
  expect(await mailsAfter(0)).toHaveLength(1);
});

test('a worker that has lost its lease sends nothing', async () => {
  await leaveUnmatched(runtime(), shop, await billWithPrompt('TWICE'));
  runtime().advance(20 * MINUTE_MS);
  const late = await claimNoticeRounds(worker(), 500);
  expect(late.length).toBeGreaterThan(0);
  expect(await mailsAfter(3 * MINUTE_MS)).toHaveLength(1);
  for (const round of late) await runNoticeRound(worker(), round);
  expect(await mailsAfter(0)).toEqual([]);
});

describe('notices about keys that expire', () => {
  const make = async (label: string, endsInMs: number, changes = '') => {
    const { id } = await shop.key('live');
    const end = addMs(runtime().clock(), endsInMs);
    await rows(`UPDATE api_key SET label = $2, expires_at = $3 ${changes} WHERE id = $1`, id, label, end);
    return id;
  };
  const quiet = () => choose({ security: OFF });

  test('are sent a week and a day before, for several keys in one mail', async () => {
    await quiet();
    await make('Till', 8 * DAY_MS);
    const key = await make('Door', 8 * DAY_MS);
    await make('Gone', -HOUR_MS);
    await make('Revoked', 2 * DAY_MS, ', revoked_at = now()');
    expect(await mailsAfter(HOUR_MS)).toEqual([]);
    const [week, ...others] = await mailsAfter(DAY_MS);
    expect(others).toEqual([]);
    expect(week?.subject).toBe('2 API keys expire soon: “Mama Asha”');
    expect(week?.text).toMatch(/Door · expires .* · never used\n/);
    expect(week?.text).toMatch(/Till · expires /);
    expect(week?.text).not.toMatch(/Gone|Revoked|secret/);
    expect(week?.text).toContain(page(`keys/${key}`, 'live'));
    expect(await mailsAfter(5 * DAY_MS)).toEqual([]);
    expect(await mailsAfter(DAY_MS)).toMatchObject([{ subject: '2 API keys expire soon: “Mama Asha”' }]);
    expect(await mailsAfter(2 * DAY_MS)).toEqual([]);
  });

  test('are sent for rolled keys only if they are still used', async () => {
    await quiet();
    for (const label of ['Moved', 'Forgotten']) {
      const old = await make(label, 3 * DAY_MS);
      const successor = await make(`${label} anew`, 99 * DAY_MS);
      await rows('UPDATE api_key SET replaces_id = $2, created_at = $3 WHERE id = $1', successor, old, runtime().clock());
    }
    expect(await mailsAfter(DAY_MS)).toEqual([]);
    await rows(`UPDATE api_key SET last_used_at = $2 WHERE merchant_id = $1 AND label = 'Forgotten'`, shop.merchant.id, runtime().clock());
    const [mail] = await mailsAfter(DAY_MS + HOUR_MS);
    expect(mail?.subject).toBe('An API key expires soon: “Mama Asha”');
    expect(mail?.text).toMatch(
      /Forgotten · expires .* · last used .*\nThis key was replaced by a new one, but the old key is still in use/,
    );
    expect(await mailsAfter(HOUR_MS)).toEqual([]);
  });
});

test('notices about changes to keys and team are sent once, within minutes, at most hourly, and say who made the changes', async () => {
  await choose({});
  await mailsAfter(11 * MINUTE_MS);
  await shop.key('live');
  await shop.key('sandbox');
  await rows(
    `INSERT INTO audit_entry (id, merchant_id, actor, action, subject, address, data, at)
     VALUES ($1, $2, 'user:boss@example.com', 'member.role_changed', $4, '41.59.10.7', '{"member": "asha@example.com"}', $3)`,
    newId(runtime()),
    shop.merchant.id,
    runtime().clock(),
    newId(runtime()),
  );
  const [mail, ...others] = await mailsAfter(11 * MINUTE_MS);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('2 changes to keys, team or webhooks: “Mama Asha”');
  expect(mail?.text).toMatch(/API key created: test\nby .*operator\n/);
  expect(mail?.text).toContain('Role of a member changed: asha@example.com\nby boss@example.com (41.59.10.7)\n');
  // There is at most one mail an hour. It contains all changes since the previous mail.
  for (const _ of [1, 2]) {
    await shop.key('live');
    expect(await mailsAfter(20 * MINUTE_MS)).toEqual([]);
  }
  expect(await mailsAfter(20 * MINUTE_MS)).toMatchObject([{ subject: '2 changes to keys, team or webhooks: “Mama Asha”' }]);
  expect(await mailsAfter(3 * DAY_MS)).toEqual([]);
});

describe('the daily summary', () => {
  const at = (day: string, hour: number) => ({ ...runtime(), clock: () => addMs(startOf(day), hour * HOUR_MS) });
  /** Advances the clock from `day` to an hour of the next day. Returns `day`, and the mails that were sent meanwhile. */
  const tomorrowAt = async (hour: number) => {
    const day = eastAfricanDay(runtime().clock());
    const mails = await mailsAfter(addMs(startOf(addDays(day, 1)), hour * HOUR_MS).getTime() - runtime().clock().getTime());
    return { day, mails };
  };

  test('is sent once in the morning to those who have turned it on, for a day on which something happened', async () => {
    await choose({ summary: { on: true, addresses: ['asha@example.com'] }, security: OFF });
    const day = eastAfricanDay(runtime().clock());
    const today = at(day, 12);
    const bill = await makeBill(today, shop, { environment: 'live', amount: 12_500 });
    await pay(today, bill, 1_250_000n);
    await pay(today, await makeBill(today, shop, { environment: 'live', reference: 'B', amount: 9000 }), 400_000n);
    await pay(today, bill, -1_250_000n);
    const prompt = await makeBill(today, shop, { environment: 'live', reference: 'C', mobile: '0754000001' });
    await rows("UPDATE push_attempt SET state = 'EXPIRED', due_at = NULL, settled_at = $2 WHERE bill_id = $1", prompt, today.clock());
    expect(
      await mailsAfter(addMs(startOf(addDays(day, 1)), 5.9 * HOUR_MS).getTime() - runtime().clock().getTime(), 'asha@example.com'),
    ).toEqual([]);
    const [mail, ...others] = await mailsAfter(0.2 * HOUR_MS, 'asha@example.com');
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(/^\d+ \w+ 20\d\d: TZS 4,000, “Mama Asha”$/);
    expect(mail?.text).toContain(
      [
        'Collected: TZS 4,000',
        'Collected the day before: TZS 0',
        'Payments: 2',
        'Reversed or corrected (already subtracted): TZS 12,500',
        'Bills created: 3, fully paid: 0',
        'Payment requests paid: 0 of 1 (0%)',
      ].join('\n'),
    );
    expect(mail?.text).toContain(page('overview', 'live'));
    expect(await mailsAfter(12 * HOUR_MS, 'asha@example.com')).toEqual([]);
    expect(await mailsAfter(DAY_MS, 'asha@example.com')).toEqual([]);
  });

  test('is not sent by default', async () => {
    await choose({ security: OFF });
    await makeBill(runtime(), shop, { environment: 'live' });
    expect((await tomorrowAt(7)).mails).toEqual([]);
  });
});
