import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { Client } from 'pg';
import { listActions } from '@/testing/surface/actions';
import { addressOf } from '@/testing/surface/addresses';
import { listGuestForms } from '@/testing/surface/guest-forms';
import { addressPattern, listMiddleware, listRouteFiles } from '@/testing/surface/route-files';
import { type Known, plausibleForm, plausibleValues } from '@/testing/surface/values';
import { act } from './act';
import { invite, newBill, newKey, newMerchant, signedIn, signIn, type TestMerchant } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const PRIVATE = '(dashboard)/m/[merchant]/[environment]/';
/** A person's own account pages. They need a session. Their URLs name no person, so nobody can open those of another person. */
const OWN = '(dashboard)/account/';

/** Public routes: they belong to no merchant, or need a key, a link or a password. Everything else is private. */
const OPEN = new Set([
  '(auth)/invitation/[token]/direct.tsx',
  '(auth)/no-merchant/direct.tsx',
  '(auth)/not-found/direct.tsx',
  '(auth)/forgot/direct.tsx',
  '(auth)/reset/direct.tsx',
  '(auth)/sign-in/again/direct.ts',
  '(auth)/sign-in/code/direct.tsx',
  '(auth)/sign-in/direct.tsx',
  '(auth)/sign-in/pin/direct.tsx',
  '(auth)/sign-out/direct.tsx',
  '(auth)/sign-up/finish/direct.tsx',
  '(auth)/sign-up/direct.tsx',
  'api/auth/[...nextauth]/route.ts',
  'api/v1/[[...path]]/direct.ts',
  'api/v2/[[...path]]/direct.ts',
  'api/v2/bills/[id]/cash/direct.ts',
  'api/v2/bills/[id]/requests/direct.ts',
  'api/v2/bills/[id]/direct.ts',
  'api/v2/bills/direct.ts',
  'api/v2/devices/direct.ts',
  'api/v2/session/direct.ts',
  'api/v2/shift/close/direct.ts',
  'api/v2/shift/direct.ts',
  'api/v3/[[...path]]/direct.ts',
  'api/v3/bills/[id]/attempts/direct.ts',
  'api/v3/bills/[id]/close/direct.ts',
  'api/v3/bills/[id]/events/direct.ts',
  'api/v3/bills/[id]/instruments/direct.ts',
  'api/v3/bills/[id]/payments/direct.ts',
  'api/v3/bills/[id]/push/direct.ts',
  'api/v3/bills/[id]/refunds/direct.ts',
  'api/v3/bills/[id]/reopen/direct.ts',
  'api/v3/bills/[id]/direct.ts',
  'api/v3/bills/bulk/direct.ts',
  'api/v3/bills/create/direct.ts',
  'api/v3/bills/direct.ts',
  'api/v3/bills/validate/direct.ts',
  'api/v3/events/direct.ts',
  'api/v3/networks/direct.ts',
  'api/v3/openapi.json/direct.ts',
  'api/v3/sandbox/time/direct.ts',
  'callbacks/[provider]/[token]/direct.ts',
  // This page does not exist in production.
  'design/page.tsx',
  'docs/[[...path]]/direct.ts',
  'form-refused/direct.tsx',
  'llms.txt/direct.ts',
  'healthz/direct.ts',
  'p/[[...path]]/direct.ts',
  'pay/logo/[[...path]]/direct.ts',
  'pay/picture/[[...path]]/direct.ts',
  'pay/direct.tsx',
  // This page needs a signed link. Without such a link, it answers 404.
  'phone/[[...path]]/direct.tsx',
  'preferences/route.ts',
  // Needs the address of a device at its push service, and a session of the member who added the device.
  'push/news/route.ts',
  'readyz/direct.ts',
  'direct.tsx',
  'verify/direct.tsx',
]);

interface Victim extends Known {
  readonly merchant: TestMerchant;
  /** Texts about this merchant. No page may show them to anybody outside the merchant's team. */
  readonly secrets: readonly string[];
}

async function makeVictim(request: APIRequestContext, product: Parameters<typeof newMerchant>[0] & { sandboxUrl: string }, client: Client) {
  const merchant = await newMerchant(product, `Duka la Siri ${randomUUID().slice(0, 8)}`);
  const key = await newKey(product, merchant, `Ledger of ${merchant.slug}`);
  const reference = `WEDDING OF ${merchant.slug}`;
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference, mobile: '0754987001' });
  await expect(async () => {
    const { rows } = await client.query("SELECT 1 FROM bill WHERE id = $1 AND status = 'FULLY_PAID'", [bill.id]);
    expect(rows).toHaveLength(1);
  }).toPass();
  let loggedRequest = '';
  await expect(async () => {
    const logged = await client.query<{ id: string }>('SELECT id FROM api_request WHERE merchant_id = $1', [merchant.id]);
    expect(logged.rows).toHaveLength(1);
    loggedRequest = logged.rows[0]?.id ?? '';
  }).toPass();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM push_attempt WHERE bill_id = $1', [bill.id]);
  const invitation = await invite(product, merchant, { email: `guest.of.${merchant.slug}@example.com`, role: 'viewer' });
  const members = await client.query<{ id: string }>('SELECT user_id AS id FROM membership WHERE merchant_id = $1', [merchant.id]);
  const deliveries = await client.query<{ id: string }>('SELECT id FROM webhook_delivery WHERE bill_id = $1', [bill.id]);
  const runs = await client.query<{ id: string }>(
    `INSERT INTO webhook_redelivery (id, merchant_id, environment, period_from, period_to, states, per_second, total, requested_by, created_at, state, completed_at)
     VALUES (gen_random_uuid(), $1, 'sandbox', now() - interval '1 day', now(), '{UNSENT}', 20, 1, $2, now(), 'COMPLETED', now()) RETURNING id`,
    [merchant.id, `user:${merchant.email}`],
  );
  const [delivery = '', run = ''] = [deliveries, runs].map((found) => found.rows[0]?.id);
  const ids = {
    attempt: rows[0]?.id ?? '',
    bill: bill.id,
    delivery,
    invitation: invitation.id,
    key: key.apiKey,
    member: members.rows[0]?.id ?? '',
    request: loggedRequest,
    run,
    import: randomUUID(),
  };
  await client.query(
    `INSERT INTO bill_import (id, merchant_id, environment, file_name, encoding, rows_hash, row_count, error_count, warning_count, total,
       created_by, created_by_id, created_at)
     SELECT $1, id, 'sandbox', $3, 'utf-8', '\\x00', 1, 0, 0, 100, 'user:x', $1, now() FROM merchant WHERE slug = $2`,
    [ids.import, merchant.slug, `${reference}.csv`],
  );
  await client.query("INSERT INTO bill_import_row (import_id, number, amount, reference, problems) VALUES ($1, 2, 100, $2, '[]')", [
    ids.import,
    reference,
  ]);
  const victim: Victim = {
    merchant,
    ids,
    secrets: [merchant.name, reference, `Ledger of ${merchant.slug}`, key.apiKey, '0754987001', '754987001', 'guest.of.'],
  };
  return victim;
}

/** Returns all private URLs with the victim's ids. */
function privateAddresses(victim: Victim, slug: string): string[] {
  const files = listRouteFiles().filter((file) => file.startsWith(PRIVATE));
  return files.flatMap((file) => {
    const address = addressOf(file, victim, { 'm/[merchant]': slug });
    return [address.replace('/sandbox', '/live'), address];
  });
}

/** Returns a function that returns a digest of a merchant's rows in each table, without values that change with time. */
async function recorder(client: Client): Promise<(merchantId: string) => Promise<Record<string, string>>> {
  const { rows: tables } = await client.query<{ table: string; columns: string }>(
    `SELECT table_name AS table, string_agg(quote_ident(column_name), ', ' ORDER BY column_name) AS columns
     FROM information_schema.columns c
     WHERE table_schema = current_schema() AND column_name !~ '^(last_|chain_|lease_)' AND table_name NOT IN ('audit_entry', 'mail', 'rollup', 'payment_day', 'attempt_day',
        'payment_hour', 'search_entry', 'search_size')
       AND EXISTS (SELECT 1 FROM information_schema.columns m WHERE m.table_schema = c.table_schema AND m.table_name = c.table_name AND m.column_name = 'merchant_id')
     GROUP BY table_name`,
  );
  const digests = tables.map(
    ({ table, columns }) =>
      `SELECT '${table}' AS table, count(*) || ' ' || md5(coalesce(string_agg(x::text, ',' ORDER BY x::text), '')) AS digest
       FROM (SELECT ${columns} FROM "${table}" WHERE merchant_id = $1) x`,
  );
  return async (merchantId) => {
    const { rows } = await client.query<{ table: string; digest: string }>({
      name: 'record of a merchant',
      text: digests.join(' UNION ALL '),
      values: [merchantId],
    });
    return Object.fromEntries(rows.map(({ table, digest }) => [table, digest]));
  };
}

test('every route is listed as public or is below a merchant, and there is no middleware', () => {
  expect(listRouteFiles().filter((file) => !file.startsWith(PRIVATE) && !file.startsWith(OWN) && !OPEN.has(file))).toEqual([]);
  expect(listMiddleware()).toEqual([]);
});

test("without a session or with a stranger's, no page, action or data route reveals or changes anything", { tag: '@full' }, async ({
  browser,
  request,
  product,
}) => {
  test.setTimeout(480_000);
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  const base = product.liveUrl;
  const victim = await makeVictim(request, product, client);
  const stranger = await newMerchant(product, 'Duka la Jirani');
  const recordOf = await recorder(client);
  const before = await recordOf(victim.merchant.id);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['api_key', 'bill', 'membership', 'push_attempt', 'webhook_delivery']));
  // The answer may repeat an id from the request. That reveals nothing.
  const silent = (body: string, where: string, asked = where) => {
    const named = Object.values(victim.ids).filter((id) => asked.includes(id));
    const rest = named.reduce((text, id) => text.replaceAll(id, ''), body);
    for (const secret of victim.secrets) expect(rest, where).not.toContain(secret);
  };

  for (const visitor of ['nobody', 'stranger'] as const) {
    const context = visitor === 'nobody' ? await browser.newContext() : await signedIn(browser, base, stranger);
    for (const path of privateAddresses(victim, victim.merchant.slug)) {
      for (const headers of [{}, { rsc: '1' }, { rsc: '1', 'next-router-prefetch': '1' }, { accept: 'application/json' }]) {
        const answer = await context.request.get(base + path, { headers, maxRedirects: 0 });
        const body = await answer.text();
        const where = `${visitor} ${path} ${JSON.stringify(headers)}`;
        silent(body.replaceAll(path, ''), where);
        if (visitor === 'stranger') {
          // The answer must be the same as for a merchant that does not exist.
          const nowhere = path.replace(victim.merchant.slug, 'no-such-merchant');
          const other = await context.request.get(base + nowhere, { headers, maxRedirects: 0 });
          expect([answer.status(), where]).toEqual([other.status(), where]);
          // 405: the route only accepts POST, and Next.js refuses without running it.
          if (!('rsc' in headers)) expect([[404, 405].includes(answer.status()), where]).toEqual([true, where]);
        } else if (!('rsc' in headers)) expect([[303, 307, 401, 405].includes(answer.status()), where]).toEqual([true, where]);
      }
    }
    if (visitor === 'nobody') {
      for (const file of listRouteFiles().filter((one) => one.startsWith(OWN))) {
        const path = `/${addressPattern(file)}`;
        const answer = await context.request.get(base + path, { maxRedirects: 0 });
        if (file.endsWith('route.ts')) {
          // The documentation requests the visitor's sandbox key from this route. Without a session, the answer is `null`.
          const expected = path === '/account/sandbox-key' ? [200, 'null'] : [401, ''];
          expect([answer.status(), await answer.text(), path]).toEqual([...expected, path]);
          continue;
        }
        expect([answer.status(), answer.headers().location]).toEqual([307, `/sign-in?callbackUrl=${encodeURIComponent(path)}`]);
      }
    }
    // These URLs contain the stranger's own merchant and the victim's ids.
    if (visitor === 'stranger') {
      for (const path of privateAddresses(victim, stranger.slug)) silent(await (await context.request.get(base + path)).text(), path);
    }
    for (const action of listActions()) {
      const form = plausibleForm(action, victim);
      const page = addressOf(action.page, victim, { 'm/[merchant]': stranger.slug });
      for (const merchant of [victim.merchant.slug, stranger.slug]) {
        const answer = await act(context.request, base, action, page, { ...form, merchant });
        const where = `${visitor} ${action.name} ${merchant}`;
        silent(await answer.text(), where, page + JSON.stringify(form));
        if (visitor === 'nobody') expect([answer.status() < 500, where]).toEqual([true, where]);
      }
      expect([action.name, await recordOf(victim.merchant.id)]).toEqual([action.name, before]);
    }
    for (const { file, fields } of listGuestForms()) {
      const answer = await context.request.post(base + addressOf(file, victim), {
        headers: { 'sec-fetch-site': 'same-origin' },
        form: plausibleValues(fields, victim),
        maxRedirects: 0,
      });
      const where = `${visitor} ${file}`;
      silent(await answer.text(), where, victim.merchant.email);
      expect([answer.status() < 500, where]).toEqual([true, where]);
      expect([file, await recordOf(victim.merchant.id)]).toEqual([file, before]);
    }
    await context.close();
  }

  // The refused requests are recorded in the operator's audit log, not in the victim's.
  const { rows: refused } = await client.query<{ merchant: string | null; actor: string }>(
    "SELECT DISTINCT merchant_id AS merchant, actor FROM audit_entry WHERE action = 'access.refused'",
  );
  expect(refused).toContainEqual({ merchant: null, actor: `user:${stranger.email}` });
  expect(refused.filter(({ merchant }) => merchant === victim.merchant.id)).toEqual([]);

  // Cross-check: the owner's own request reveals data, and the owner's own action changes data.
  const owner = await signedIn(browser, base, victim.merchant);
  const own = await owner.request.get(`${base}/m/${victim.merchant.slug}/sandbox/bills/${victim.ids.bill}`);
  expect(await own.text()).toContain(victim.secrets[1]);
  const create = listActions().find(({ name }) => name.endsWith('#createKeyAction'));
  if (!create) throw new Error('there is no action that creates a key');
  await act(owner.request, base, create, `/m/${victim.merchant.slug}/sandbox/keys`, plausibleForm(create, victim));
  expect((await recordOf(victim.merchant.id)).api_key).not.toBe(before.api_key);
  await owner.close();
  await client.end();
});

test('the sign-in page leads back to the requested page', { tag: '@full' }, async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Mlangoni');
  const key = await newKey(product, merchant, 'Till');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference: 'WANTED' });
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${bill.id}`);
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { name: 'WANTED' })).toBeVisible();
});
