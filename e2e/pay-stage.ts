import { Client } from 'pg';
import type { Product } from '@/testing/product';
import { type BillJson, expect, merchantServer } from './product';
import { swahili, text } from './texts';

/** Requests a prompt as the form does. */
export async function ask(product: Product, bill: { readonly id: string }, fields: Readonly<Record<string, string>>): Promise<Response> {
  const body = new URLSearchParams({ bill: bill.id, lang: 'en', ...fields });
  return fetch(`${product.sandboxUrl}/pay`, { method: 'POST', body, redirect: 'manual' });
}

/** Requests a prompt as the form does. Returns the cookie that shows that this device requested the attempt. */
export async function askAs(...asked: Parameters<typeof ask>): Promise<string> {
  const { headers } = await ask(...asked);
  return (
    headers
      .getSetCookie()
      .find((cookie) => cookie.includes('.asked='))
      ?.split(';', 1)[0] ?? ''
  );
}

/**
 * Waits until the title of a bill's page contains a text. With `cookie`, the page is read as the device that requested the prompt, else as
 * a stranger.
 */
export async function until(bill: Pick<BillJson, 'webPayUrl'>, title: string, cookie = ''): Promise<void> {
  const read = async () =>
    (await (await fetch(`${bill.webPayUrl}&lang=en`, { headers: { cookie } })).text()).match(/<title>(.*?)<\/title>/)?.[1];
  await expect.poll(read, { timeout: 40_000, message: `the page says "${title}"` }).toContain(title);
}

/** Changes the database directly, for states that no sandbox number causes. */
export async function sql(product: Product, text: string, ...values: readonly unknown[]): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  const { rows } = await client.query(text, [...values]);
  await client.end();
  return rows;
}

/** A bill in a state that does not change during the checks, and what its payment page shows. */
export interface Staged {
  readonly url: string;
  readonly heading: Readonly<Record<'sw' | 'en', string>>;
  /** Whether the page has a form. */
  readonly form: boolean;
  /** The cookie of the device that requested the prompt. Absent if a stranger opens the page. */
  readonly cookie?: string;
}

type Stage = Readonly<Record<string, Staged>>;

/** Creates a bill in each state that does not change by itself. In most cases, the last digits of the mobile number cause the state. */
export async function stageSettled(product: Product): Promise<Stage> {
  const server = merchantServer(product);
  const by = async (ends: string, en: string, sw: string, form = true, amount = 5_001): Promise<Staged> => {
    const bill = await server.create({ amount, reference: `STATE-${ends}` });
    const cookie = await askAs(product, bill, { mobile: `0712345${ends}` });
    await until(bill, en, cookie);
    return { url: bill.webPayUrl, heading: { en, sw }, form, cookie };
  };
  const ready = await server.create({ amount: 12_500.5, reference: 'AGIZO <b>7</b>' });
  const large = await server.create({ amount: 1_000_000_000, reference: 'R'.repeat(255) });
  const closed = await server.create({ amount: 5_000, reference: 'CLOSED' });
  await sql(product, 'UPDATE bill SET closed_at = now() WHERE id = $1', closed.id);
  const [declined, pin, balance, expired, held, unregistered, part, paid, unavailable, overpaid, decline] = await Promise.all([
    by('002', text('ReasonTitle.user_cancelled'), swahili('ReasonTitle.user_cancelled')),
    by('003', text('ReasonTitle.wrong_pin'), swahili('ReasonTitle.wrong_pin')),
    by('004', text('ReasonTitle.insufficient_funds'), swahili('ReasonTitle.insufficient_funds')),
    by('005', text('ReasonTitle.expired'), swahili('ReasonTitle.expired')),
    by('005', text('ReasonTitle.expired'), swahili('ReasonTitle.expired'), false),
    by('006', text('ReasonTitle.mobile_not_registered'), swahili('ReasonTitle.mobile_not_registered')),
    by('009', text('Pay.partTitle'), swahili('Pay.partTitle')),
    by('001', text('Pay.paidTitle'), swahili('Pay.paidTitle'), false),
    by('013', text('ReasonTitle.provider_unavailable'), swahili('ReasonTitle.provider_unavailable')),
    overpay(product),
    payBefore(product),
  ]);
  // For two minutes after a prompt has expired, the page hides its form, because the payment may still arrive. The tests need the page of
  // `held` in these two minutes and all other pages after them, and may take longer. Therefore the attempt of `held` gets an end in the
  // future, and all other attempts get an end in the past.
  const end = "UPDATE push_attempt SET settled_at = now() + $2::interval WHERE state IN ('FAILED', 'EXPIRED') AND bill_id::text LIKE $1";
  await sql(product, end, '%', '-1 hour');
  await sql(product, end, `%${held.url.slice(-36)}`, '1 hour');
  return {
    notCompleted: {
      url: declined.url,
      heading: { en: text('ReasonTitle.not_completed'), sw: swahili('ReasonTitle.not_completed') },
      form: true,
    },
    ready: { url: ready.webPayUrl, heading: { en: text('Pay.readyTitle'), sw: swahili('Pay.readyTitle') }, form: true },
    large: { url: large.webPayUrl, heading: { en: text('Pay.readyTitle'), sw: swahili('Pay.readyTitle') }, form: true },
    closed: { url: closed.webPayUrl, heading: { en: text('Pay.closedTitle'), sw: swahili('Pay.closedTitle') }, form: false },
    suspended: await suspend(product),
    unserved: await unserved(product),
    unknownBill: {
      url: `${product.sandboxUrl}/pay?bill=nope`,
      heading: { en: text('Pay.notFoundTitle'), sw: swahili('Pay.notFoundTitle') },
      form: false,
    },
    ...{ declined, pin, balance, expired, held, unregistered, part, paid, unavailable, overpaid, decline },
  };
}

/**
 * Two customers pay the same bill: the second customer requests a prompt after the first prompt has expired, and the first payment arrives
 * late.
 */
async function overpay(product: Product): Promise<Staged> {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'OVER', mobile: '0712345011' });
  await until(bill, text('ReasonTitle.not_completed'));
  await ask(product, bill, { mobile: '0754345001' });
  await until(bill, text('Pay.overpaidTitle'));
  return { url: bill.webPayUrl, heading: { en: text('Pay.overpaidTitle'), sw: swahili('Pay.overpaidTitle') }, form: false };
}

/** The money of the first attempt arrives late, while a second prompt is open on another phone. */
async function payBefore(product: Product): Promise<Staged> {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'DECLINE', mobile: '0712345011' });
  await until(bill, text('ReasonTitle.not_completed'));
  const cookie = await askAs(product, bill, { mobile: '0754345005' });
  await keepPrompt(product, bill);
  await until(bill, text('Pay.declinePaidTitle'));
  const heading = { en: text('Pay.declinePaidTitle'), sw: swahili('Pay.declinePaidTitle') };
  return { url: bill.webPayUrl, heading, form: false, cookie };
}

/** Makes a bill's attempt stay open: nobody answers the prompt, it does not expire, and no worker queries it. */
export async function keepPrompt(product: Product, { id }: Pick<BillJson, 'id'>): Promise<void> {
  const open = "bill_id = $1 AND state = 'AWAITING_CUSTOMER'";
  const forget = `UPDATE push_attempt SET due_at = now() + interval '1 day' WHERE ${open} AND lease_until IS NULL RETURNING our_reference AS reference`;
  const kept: unknown[] = [];
  const take = async () => kept.push(...(await sql(product, forget, id)));
  await expect.poll(take, { message: 'the prompt is with the customer' }).toBe(1);
  await sql(product, `DELETE FROM sandbox_step WHERE reference IN (SELECT our_reference FROM push_attempt WHERE ${open})`, id);
}

async function merchantOf(product: Product, name: string, environment: 'live' | 'sandbox') {
  const scope = ['--merchant', name.toLowerCase(), '--environment', environment];
  await product.bili(['merchant', 'create', '--name', name, '--email', `${name}@example.com`]);
  const key: unknown = await product.bili(['key', 'create', ...scope, '--label', 'shop', '--reason', 'test']);
  if (typeof key !== 'object' || key === null || !('apiKey' in key) || !('apiSecret' in key)) throw new Error('no key');
  const baseUrl = environment === 'live' ? product.liveUrl : product.sandboxUrl;
  const sandbox = { baseUrl, apiKey: String(key.apiKey), apiSecret: String(key.apiSecret), webhookSecret: '' };
  return { scope, server: merchantServer({ demo: { ...product.demo, sandbox } }) };
}

async function suspend(product: Product): Promise<Staged> {
  const { scope, server } = await merchantOf(product, 'Kahawa', 'sandbox');
  const bill = await server.create({ amount: 5_000, reference: 'SUSPENDED' });
  await product.bili(['merchant', 'suspend', ...scope]);
  return { url: bill.webPayUrl, heading: { en: text('Pay.inactiveTitle'), sw: swahili('Pay.inactiveTitle') }, form: false };
}

/** A live merchant without a provider account. */
async function unserved(product: Product): Promise<Staged> {
  const { server } = await merchantOf(product, 'Chai', 'live');
  const bill = await server.create({ amount: 5_000, reference: 'UNSERVED' });
  return {
    url: bill.webPayUrl,
    heading: { en: text('Pay.unservedTitle'), sw: swahili('Pay.unservedTitle') },
    form: false,
  };
}

/**
 * Creates bills in states that last only for a time, on a product whose prompts last one minute. After half a minute, the page shows help.
 */
export async function stageWaiting(product: Product): Promise<Stage> {
  const server = merchantServer(product);
  const prompted = async (reference: string, mobile: string, amount = 5_000) => {
    const bill = await server.create({ amount, reference, mobile });
    await until(bill, text('Pay.promptedOtherTitle', { digits: '005' }));
    return bill;
  };
  const unknown = await prompted('UNKNOWN', '0712345005');
  // Does not change an attempt that a worker has claimed, because the worker would overwrite the change.
  const forget = `UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = now(), due_at = now() + interval '1 day'
                  WHERE bill_id = $1 AND state = 'AWAITING_CUSTOMER' AND lease_until IS NULL RETURNING id`;
  await expect.poll(() => sql(product, forget, unknown.id), { message: 'the prompt is with the customer' }).toHaveLength(1);
  const queued = await server.create({ amount: 5_000, reference: 'QUEUED', mobile: '0712345013' });
  await until(queued, text('Pay.queuedTitle'));
  const shared = await server.create({ amount: 4_000_000, reference: 'SHARED' });
  await ask(product, shared, { mobile: '0754345005', amount: '1,500,000' });
  const { webPayUrl } = await prompted('PROMPTED', '0712345005');
  const asked = await server.create({ amount: 5_000, reference: 'ASKED' });
  const cookie = await askAs(product, asked, { mobile: '0754345005' });
  return {
    own: { url: asked.webPayUrl, heading: { en: text('Pay.promptedTitle'), sw: swahili('Pay.promptedTitle') }, form: false, cookie },
    prompted: {
      url: webPayUrl,
      heading: { en: text('Pay.promptedOtherTitle', { digits: '005' }), sw: swahili('Pay.promptedOtherTitle', { digits: '005' }) },
      form: false,
    },
    queued: {
      url: queued.webPayUrl,
      heading: { en: text('Pay.queuedTitle'), sw: swahili('Pay.queuedTitle') },
      form: false,
    },
    unknown: { url: unknown.webPayUrl, heading: { en: text('Pay.unknownTitle'), sw: swahili('Pay.unknownTitle') }, form: false },
    shared: { url: shared.webPayUrl, heading: { en: text('Pay.readyTitle'), sw: swahili('Pay.readyTitle') }, form: true },
  };
}
