import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Shop } from './shops';

/** How a customer pays a bill. */
const PLANS = [
  'prompt',
  'number',
  'qr',
  'form',
  'prompt without callback',
  'link',
  'number',
  'prompt with a lost answer',
  'cash and number',
  'qr',
  'form without callback',
  'prompt declined, then sent again',
  'number beside a prompt',
  'number after the bill was closed',
  'number',
  'cash',
  'number of another amount',
  'qr whose issuing gets no answer',
  'form with the callback first',
  'prompt with two callbacks',
] as const;
type Plan = (typeof PLANS)[number];

const AMOUNT = 5_000;
/** The prefixes of the networks that all three providers serve. Each bill has its own number. */
const PREFIXES = ['0754', '0713', '0784', '0755', '0714', '0785', '0756', '0715', '0786'];
const TRY_TIMEOUT_MS = 10 * SECOND_MS;
const TRIES = 12;
const READ_MS = 1_000;
/** A customer who has got no number or code by then asks for a prompt. */
const ISSUED_MS = 40 * SECOND_MS;
/** For so long a customer waits until a declined prompt is known to be declined. Selcom is asked for the first time after three minutes. */
const DECLINED_MS = 5 * MINUTE_MS;

const billSchema = z.object({ id: z.uuid(), lastAttempt: z.object({ state: z.string() }).nullish() });
const instrumentsSchema = z.object({
  instruments: z.array(
    z.object({
      state: z.string(),
      amount: z.number(),
      number: z.string().nullable(),
      qr: z.string().nullable(),
      link: z.string().nullable(),
      takes: z.string(),
    }),
  ),
});
const paidSchema = z.object({ reference: z.string(), receipt: z.string(), amount: z.number() });

type Way = 'number' | 'qr' | 'link';

/** A bill and what its customer did. */
export interface Customer {
  readonly shop: Shop;
  readonly plan: Plan;
  readonly billId: string;
  /** The numbers of its prompts in international form. */
  readonly mobiles: readonly string[];
  /** Receipt numbers of payments of instruments. */
  readonly receipts: readonly string[];
  /** Shillings that a person recorded. */
  readonly cash: number;
  /** True if no instrument could be paid in time, so that the customer used a prompt. */
  readonly hasFallenBack: boolean;
}

export interface CustomersOptions {
  readonly origins: readonly string[];
  readonly shops: readonly Shop[];
  readonly bills: number;
  readonly perSecond: number;
}

export interface Served {
  readonly customers: readonly Customer[];
  /** What customers could not do, as sentences. */
  readonly problems: string[];
  /** Lets the customer of a bill pay without a prompt, because the prompt has never reached the phone. */
  readonly payOtherwise: (billId: string) => Promise<void>;
}

/** Creates bills at a constant rate and pays each in one way. Resolves when all customers have done what they do. */
export async function serveCustomers({ origins, shops, bills, perSecond }: CustomersOptions): Promise<Served> {
  const visits: Visit[] = [];
  const problems: string[] = [];
  const tasks: Promise<void>[] = [];
  const begun = performance.now();
  for (let index = 0; index < bills; index += 1) {
    const shop = shops[index % shops.length];
    const plan = PLANS[Math.floor(index / shops.length) % PLANS.length];
    if (!shop || !plan) throw new Error('there is no shop');
    const visit = new Visit(shop, plan, index, origins[index % origins.length] ?? '');
    visits.push(visit);
    tasks.push(
      visit.run().catch((error: unknown) => {
        problems.push(`bill ${index} (${shop.name}, ${plan}): ${error instanceof Error ? error.message : error}`);
      }),
    );
    const pause = begun + ((index + 1) * 1_000) / perSecond - performance.now();
    if (pause > 0) await delay(pause);
  }
  await Promise.all(tasks);
  return {
    get customers() {
      return visits.map((visit) => visit.customer());
    },
    problems,
    async payOtherwise(billId) {
      const visit = visits.find((one) => one.customer().billId === billId);
      await visit?.payInstrument('number', {}).catch((error: unknown) => void problems.push(`bill ${billId}: ${error}`));
    },
  };
}

/** One customer. */
class Visit {
  private billId = '';
  private readonly mobiles: string[] = [];
  private readonly receipts: string[] = [];
  private cash = 0;
  private hasFallenBack = false;

  constructor(
    private readonly shop: Shop,
    private readonly plan: Plan,
    private readonly index: number,
    private readonly origin: string,
  ) {}

  customer(): Customer {
    const { shop, plan, billId, mobiles, receipts, cash, hasFallenBack } = this;
    return { shop, plan, billId, mobiles, receipts, cash, hasFallenBack };
  }

  async run(): Promise<void> {
    switch (this.plan) {
      case 'prompt':
        return this.create(this.newMobile('001'));
      case 'prompt without callback':
        return this.create(this.newMobile('007'));
      case 'prompt with two callbacks':
        return this.create(this.newMobile('008'));
      case 'prompt with a lost answer':
        return this.create(this.newMobile('010'));
      case 'prompt declined, then sent again':
        await this.create(this.newMobile('002'));
        return (await this.waitUntilDeclined()) ? this.push('001') : this.payInstrument('number', {});
      case 'form':
        await this.create(null);
        return this.submitForm('001');
      case 'form without callback':
        await this.create(null);
        return this.submitForm('007');
      case 'form with the callback first':
        await this.create(null);
        return this.submitForm('012');
      case 'number':
      case 'qr':
      case 'link':
        await this.create(null);
        return this.payInstrument(this.plan, {});
      case 'number of another amount':
        await this.create(null);
        return this.payOtherAmount();
      case 'qr whose issuing gets no answer':
        await this.create(null);
        await this.post(`${this.shop.books.url}/control`, { failInstruments: [this.index % 2 === 0 ? 'unanswered' : 'unrecorded'] });
        return this.payInstrument('qr', {});
      case 'cash and number':
        await this.create(null);
        await this.ask();
        await this.recordCash(2_000);
        return this.payInstrument('number', {});
      case 'cash':
        await this.create(null);
        return this.recordCash(AMOUNT);
      case 'number beside a prompt':
        return this.payBesidePrompt();
      case 'number after the bill was closed':
        return this.payClosed();
    }
  }

  /** Returns a number that no other bill has. @param behaviour its last three digits, which the simulators follow. */
  private newMobile(behaviour: string): string {
    const { index } = this;
    const mobile = `${PREFIXES[Math.floor(index / 1_000) % PREFIXES.length]}${String(index % 1_000).padStart(3, '0')}${behaviour}`;
    this.mobiles.push(`255${mobile.slice(1)}`);
    return mobile;
  }

  private async create(mobile: string | null): Promise<void> {
    const body = { amount: AMOUNT, reference: `WAYS-${this.index}`, ...(mobile !== null && { mobile }) };
    this.billId = billSchema.parse(await this.api('POST', '/api/v3/bills/create', body)).id;
  }

  private async push(behaviour: string): Promise<void> {
    await this.api('POST', `/api/v3/bills/${this.billId}/push`, { mobile: this.newMobile(behaviour) });
  }

  /** Returns false if the prompt is still open in the end: a worker was killed before it reached the phone. */
  private async waitUntilDeclined(): Promise<boolean> {
    for (const deadline = Date.now() + DECLINED_MS; Date.now() < deadline; await delay(2 * READ_MS)) {
      const { lastAttempt } = billSchema.parse(await this.api('GET', `/api/v3/bills/${this.billId}`));
      if (lastAttempt?.state === 'FAILED') return true;
    }
    return false;
  }

  /** Asks for a prompt by the form of the payment page, as a browser without JavaScript does. */
  private async submitForm(behaviour: string): Promise<void> {
    const form = new URLSearchParams({ bill: this.billId, mobile: this.newMobile(behaviour) });
    for (let turn = 0; turn < TRIES; turn += 1) {
      const answer = await this.fetch(`${this.origin}/pay`, { method: 'POST', body: form, redirect: 'manual' });
      if (answer?.status === 303) return;
      await delay(READ_MS);
    }
    throw new Error('the form was not accepted');
  }

  private async recordCash(amount: number): Promise<void> {
    await this.api('POST', `/api/v3/bills/${this.billId}/payments`, { amount, kind: 'cash' });
    this.cash += amount;
  }

  private async ask(): Promise<void> {
    await this.api('POST', `/api/v3/bills/${this.billId}/instruments`);
  }

  /** Returns an instrument that can be paid now, in the wanted way if the provider has it; null if none comes in time. */
  private async findInstrument(wanted: Way) {
    const remaining = AMOUNT - this.cash;
    for (const deadline = Date.now() + ISSUED_MS; Date.now() < deadline; await delay(READ_MS)) {
      const { instruments } = instrumentsSchema.parse(await this.api('GET', `/api/v3/bills/${this.billId}/instruments`));
      const usable = instruments.filter(({ state, amount, takes }) => state === 'ACTIVE' && (amount === remaining || takes === 'open'));
      for (const way of [wanted, 'number', 'qr', 'link'] as const)
        for (const one of usable) if (one[way] !== null) return { way, value: one[way], takes: one.takes };
      if (instruments.every(({ state }) => state === 'ENDED')) await this.ask();
    }
    return null;
  }

  /** Asks for the ways to pay and pays by one. Without one, the customer asks for a prompt. */
  async payInstrument(wanted: Way, { amount }: { readonly amount?: number }): Promise<void> {
    await this.ask();
    const found = await this.findInstrument(wanted);
    if (
      found &&
      (await this.pay({ [found.way]: found.value }, { amount: found.takes === 'open' ? (amount ?? AMOUNT - this.cash) : undefined }))
    )
      return;
    this.hasFallenBack = true;
    return this.submitForm('001');
  }

  /** An open instrument takes a part and then the rest. */
  private async payOtherAmount(): Promise<void> {
    await this.ask();
    const found = await this.findInstrument('number');
    if (found?.takes !== 'open') return this.payInstrument('number', {});
    const paid = await this.pay({ [found.way]: found.value }, { amount: 1_500 });
    if (paid) await this.pay({ [found.way]: found.value }, { amount: AMOUNT - 1_500 });
  }

  /** The customer approves a prompt and pays a number at the same time: the bill is overpaid. */
  private async payBesidePrompt(): Promise<void> {
    await this.create(null);
    await this.ask();
    const found = await this.findInstrument('number');
    await this.push('001');
    if (found) await this.pay({ [found.way]: found.value }, { underWay: true });
    else this.hasFallenBack = true;
  }

  /** The customer had confirmed the payment in the wallet before the shop closed the bill. */
  private async payClosed(): Promise<void> {
    await this.create(null);
    await this.ask();
    const found = await this.findInstrument('number');
    if (!found) {
      this.hasFallenBack = true;
      return this.submitForm('001');
    }
    await this.api('POST', `/api/v3/bills/${this.billId}/close`, {});
    await this.pay({ [found.way]: found.value }, { underWay: true });
  }

  /** Pays an instrument in the customer's wallet. Returns false if the wallet refuses. One callback in four is lost, and some come twice. */
  private async pay(
    by: Partial<Record<Way, string>>,
    how: { readonly amount?: number | undefined; readonly underWay?: boolean },
  ): Promise<boolean> {
    const turn = Math.floor(this.index / PLANS.length);
    const callback = turn % 4 === 1 ? false : turn % 7 === 2 ? 'twice' : true;
    const answer = await this.post(`${this.shop.books.url}/control/pay`, { ...by, ...how, callback });
    if (answer.status === 409) return false;
    this.receipts.push(paidSchema.parse(await answer.json()).receipt);
    return true;
  }

  private async post(url: string, body: object): Promise<Response> {
    return fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  }

  /** Calls the API until it answers with success. Each change has an Idempotency-Key of its own. */
  private async api(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const { id, secret } = this.shop.key;
    const key = `${this.index}-${path}-${this.mobiles.length}`;
    const headers = {
      authorization: `ApiKey ${id}:${secret}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
    };
    let last = 'no answer';
    for (let turn = 0; turn < TRIES; turn += 1) {
      const answer = await this.fetch(this.origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (answer?.ok) return answer.json();
      last = answer ? `${answer.status} ${await answer.text()}` : 'no answer';
      if (answer && answer.status < 500 && answer.status !== 429 && answer.status !== 409) break;
      await delay(READ_MS);
    }
    throw new Error(`${method} ${path}: ${last}`);
  }

  /** Sends a request from an address of its own, as behind a proxy. Undefined if no answer came. */
  private async fetch(url: string, { headers, ...init }: RequestInit & { readonly headers?: Readonly<Record<string, string>> }) {
    const address = `10.${Math.floor(this.index / 65_536)}.${Math.floor(this.index / 256) % 256}.${this.index % 256}`;
    const signal = AbortSignal.timeout(TRY_TIMEOUT_MS);
    return fetch(url, { ...init, headers: { ...headers, 'x-forwarded-for': address }, signal }).catch(() => undefined);
  }
}
