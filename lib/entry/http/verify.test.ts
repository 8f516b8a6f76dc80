import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { showReceipt } from '@/lib/gateway/receipts/show-receipt';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { testWebProcess } from '@/testing/web-process';

const runtime = testRuntime();
const MAX_BYTES = 14_000;

/** Tests receipts and /verify on the built product: answered directly by the listener, and through Next.js. */
describe('receipts', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL);

  async function call(path: string, { method = 'GET', at = open().sandbox }: { method?: string; at?: string } = {}) {
    const response = await fetch(at + path, { method, headers: { 'accept-language': 'en' }, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function paidBill(...parts: readonly bigint[]) {
    const billId = await makeBill(runtime(), await makeMerchant(runtime(), 'Duka <b>&'), { amount: 5000, reference: '"><script>7' });
    for (const part of parts) await pay(runtime(), billId, part);
    const bill = await findBillByLink(runtime().db, 'sandbox', billId);
    const receipt = bill && (await showReceipt(runtime(), bill));
    if (!receipt) throw new Error('nothing is paid');
    return { billId, code: receipt.code };
  }

  test('a code is verified in both languages, but only in its own environment', async () => {
    const { code } = await paidBill(500_000n);
    const genuine = await call(`/verify?code=${code.toLowerCase()}`);
    expect(genuine.status).toBe(200);
    expect(genuine.text).toContain('Genuine receipt: the bill is fully paid');
    // A test receipt must not look like a payment.
    expect(genuine.text).toMatch(/class="card result wait".*<h1>Test receipt: no real money was paid\.<\/h1>/);
    expect(genuine.text).toContain('Duka &lt;b&gt;&amp;');
    expect(genuine.text).not.toContain('<script>');
    expect((await call(`/verify?code=${code}&lang=sw`)).text).toContain('Risiti ni halali: bili imelipwa yote');
    const elsewhere = await call(`/verify?code=${code}`, { at: open().live });
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.text).toContain('We have no receipt with this code');
    expect(elsewhere.text).not.toContain('Duka');
  });

  test('the page for verifiers shows no mobile number and no full receipt number', async () => {
    const { billId, code } = await paidBill(500_000n);
    const [payment] = await runtime().db.query<{ receipt: string }>(
      {
        text: 'SELECT provider_transaction_id AS receipt FROM payment p JOIN payment_allocation a ON a.payment_id = p.id WHERE a.bill_id = $1',
      },
      [billId],
    );
    const { text } = await call(`/verify?code=${code}`);
    expect(text).toContain(`…${payment?.receipt.slice(-4)}`);
    expect(text).not.toContain(payment?.receipt);
    expect(text).not.toContain(billId);
    // The code and the end of the receipt number are random and may look like a mobile number.
    expect(text.replaceAll(code, '').replace(`…${payment?.receipt.slice(-4)}`, '')).not.toMatch(/07\d\d/);
  });

  test('shows a reversed payment immediately', async () => {
    const { billId, code } = await paidBill(500_000n);
    await pay(runtime(), billId, -500_000n);
    expect((await call(`/verify?code=${code}`)).text).toContain('No longer valid: the payment was reversed');
    expect((await call(`/pay?bill=${billId}&show=receipt`)).text).not.toContain(code);
  });

  test('answers any query with a page', async () => {
    const { code } = await paidBill(500_000n);
    for (const [query, status] of [
      ['', 200],
      ['?code=', 200],
      [`?code=${code.slice(0, -1)}`, 422],
      ['?code=%00%ff<script>alert(1)</script>', 422],
      [`?code=${'K'.repeat(10_000)}`, 422],
      ['?code=FAKEFAKEFAKE', 404],
    ] as const) {
      const { status: answered, headers, text } = await call(`/verify${query}`);
      expect(answered, query).toBe(status);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).not.toContain('<script>');
      expect(text).toContain('</html>');
    }
    expect((await call('/verify?code=FAKEFAKEFAKE')).headers.get('x-request-id')).toMatch(/^[\w.-]{8,100}$/);
  });

  test('pages of the dashboard keep the common security policy', async () => {
    for (const path of ['/account', '/m/nobody/live/bills', '/robots.txt'])
      expect((await call(path, { at: open().live })).headers.get('content-security-policy'), path).toContain(
        "frame-ancestors 'none'; object-src",
      );
  });

  test('HEAD is answered without a body, and other methods with 405', async () => {
    const head = await call('/verify', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers, text } = await call('/verify', { method });
      expect([status, headers.get('allow'), text]).toEqual([405, 'GET, HEAD', `{"error":"Method ${method} is not allowed"}`]);
    }
  });

  test('each page is below 14 kB', async () => {
    const { billId, code } = await paidBill(100_000n, 200_000n, 200_000n);
    const openBill = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 5000 });
    for (const path of [
      `/verify?code=${code}&lang=sw`,
      `/pay?bill=${billId}&lang=sw`,
      `/pay?bill=${billId}&show=receipt&lang=sw`,
      `/pay?bill=${openBill}&show=qr&lang=sw`,
    ]) {
      const { text } = await call(path);
      const bytes = gzipSync(text).length;
      console.info(`${path.replaceAll(/=[0-9a-f-]{36}/g, '=…')}: ${bytes} bytes compressed, ${text.length} as they are`);
      expect(bytes).toBeLessThan(MAX_BYTES);
      expect(text).not.toMatch(/(src|href)="https?:(?!\/\/wa\.me)/);
    }
  });
});

describe('the limit for each address', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL);

  test('allows 1,000 requests at once, and then answers with Retry-After', { timeout: 90_000 }, async () => {
    const statuses = new Map<number, number>();
    let refused: Response | undefined;
    for (let n = 0; n < 150 && !refused; n += 1) {
      const answers = Array.from({ length: 20 }, () => fetch(`${open().live}/verify?code=FAKEFAKEFAKE&lang=en`));
      for (const response of await Promise.all(answers)) {
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (response.status === 429) refused = response;
        else await response.arrayBuffer();
      }
    }
    // Time passes during the loop, so the limit allows some more than 1,000 requests.
    expect(statuses.get(404)).toBeGreaterThanOrEqual(1_000);
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect(await refused?.text()).toContain('Too many receipt checks');
    expect((await fetch(`${open().live}/verify`)).status).toBe(200);
  });
});
