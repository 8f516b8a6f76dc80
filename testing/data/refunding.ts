import { beforeAll, beforeEach } from 'vitest';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { type Balance, readBalance } from '@/lib/gateway/ledger/balance-store';
import { findPayment, type LedgerPayment } from '@/lib/gateway/ledger/payment-store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { listAttempts } from '@/lib/gateway/payments/store';
import { findRefund } from '@/lib/gateway/refund-states/store';
import { askRefund } from '@/lib/gateway/refunds/ask-refund';
import type { Access } from '@/lib/identity/accounts/access/grant-access';
import { FATES } from '@/testing/fakes/fake-adapter';
import { readBooks } from '@/testing/model/books';
import { deliverNotice } from '@/testing/model/callback-steps';
import { workAll, workRefunds } from '@/testing/model/gateway-steps';
import { type Stage, setStage } from '@/testing/model/stage';
import { createWorld, HONEST, type World } from '@/testing/model/world';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, type TestRuntime } from '@/testing/runtime';
import { joinAs, letIn } from './access';

/** The numbers of customers of the providers `signed`, which reverses parts of payments, and `repeating`, which sends payouts. */
const NUMBERS = { reversal: '0744000001', payout: '0624000001' } as const;

/** A payment of 5,000 shillings. It pays a bill, unless it came as a second one for the same attempt. */
interface Paid {
  readonly payment: LedgerPayment;
  readonly billId: string;
}

type AskOptions = Parameters<typeof askRefund>[2];

/** Pays bills through fake providers, and gives the money back. Each test has an empty database and two merchants. */
export function testRefunds(runtime: () => TestRuntime) {
  let stage: Stage;
  let world: World;
  beforeAll(async () => {
    stage = await setStage(runtime(), [await makeMerchant(runtime()), await makeMerchant(runtime())]);
  });
  beforeEach(async () => {
    world = await createWorld(stage);
    await runtime().db.query({ text: 'UPDATE merchant_profile SET refund_limit = NULL' });
    await runtime().db.query({ text: "DELETE FROM membership WHERE role <> 'owner'" });
  });

  const merchant = (index = 0): TestMerchant => {
    const found = stage.merchants[index];
    if (!found) throw new Error(`there is no merchant ${index}`);
    return found;
  };

  const tools = {
    world: () => world,
    /** The gateway, with the clock of the world. */
    gateway: () => world.process(HONEST),
    merchant,
    /** The owner of a merchant, who has just proven who they are. */
    owner: (index = 0) => letIn(world.runtime, merchant(index)),
    admin: (index = 0) => joinAs(world.runtime, merchant(index), 'admin'),

    /** Lets a customer pay a bill, through a provider that gives money back in this way. */
    async pay(way: keyof typeof NUMBERS, index = 0): Promise<Paid> {
      const billId = await makeBill(world.runtime, merchant(index), { amount: 5000, mobile: NUMBERS[way] });
      await workAll(world);
      return { billId, payment: await tools.payAgain(billId) };
    },

    /** Lets a customer answer the prompt of a bill once more. The second payment belongs to no bill. */
    async payAgain(billId: string): Promise<LedgerPayment> {
      const { provider, runtime } = world;
      const [attempt] = await listAttempts(runtime.db, billId);
      const prompt = provider.prompts.get(attempt?.ourReference ?? '');
      if (!prompt) throw new Error('the bill has no prompt');
      const made = provider.notices.length;
      const report = provider.pay(prompt.till, prompt.reference, prompt.amount);
      for (const notice of provider.notices.slice(made)) await deliverNotice(world, notice);
      const receipt = 'receipt' in report ? (report.receipt ?? '') : '';
      const payment = await findPayment(runtime.db, world.accounts[prompt.till].id, receipt);
      if (!payment) throw new Error(`${receipt} is not in the ledger`);
      return payment;
    },

    /** Creates a payment of which two bills have 2,000 shillings each, and 1,000 are unmatched. Returns the bills too. */
    async payTwoBills(): Promise<{ readonly payment: LedgerPayment; readonly first: string; readonly second: string }> {
      const paid = await tools.pay('reversal');
      const payment = await tools.payAgain(paid.billId);
      const first = await makeBill(world.runtime, merchant(), { amount: 5000 });
      const second = await makeBill(world.runtime, merchant(), { amount: 5000 });
      for (const billId of [first, second]) {
        const share = { paymentId: payment.id, billId, amount: 200_000n, reason: 'his orders', actor: TEST_OPERATOR };
        const allocated = await allocatePayment(world.runtime, share);
        if (!allocated.ok) throw new Error(allocated.error);
      }
      return { payment, first, second };
    },

    /** Asks for a refund as a person, by default of all of a payment. */
    async ask(access: Access, { id }: Pick<LedgerPayment, 'id'>, options: Partial<AskOptions> = {}) {
      const whole = { paymentId: id, of: 'payment', amount: null, byHand: false, reason: 'wrong size' } as const;
      return askRefund(tools.gateway(), access, { ...whole, ...options });
    },

    /** Like `ask`, and returns the id of the refund. Throws if it is refused. */
    async asked(access: Access, payment: Pick<LedgerPayment, 'id'>, options: Partial<AskOptions> = {}): Promise<string> {
      const result = await tools.ask(access, payment, options);
      if (!result.ok) throw new Error(result.error);
      return result.value;
    },

    /** Does the next step of the refund that is due first. The call meets this fate, and the provider reacts with this word. */
    async work(fate: (typeof FATES)[number] = 'answered', word = 0): Promise<void> {
      world.books = await readBooks(world.runtime.db);
      await workRefunds(world, { fate: FATES.indexOf(fate), word });
    },

    async refund(id: string) {
      const found = await findRefund(world.runtime.db, id);
      if (!found) throw new Error('the refund is not stored');
      return found;
    },

    balance: (payment: LedgerPayment): Promise<Balance> => readBalance(world.runtime.db, payment),
    bill: async (id: string) => world.runtime.db.prisma.bill.findUniqueOrThrow({ where: { id } }),
    /** What `bili doctor` finds wrong with the ledger. */
    breaches: async () => (await verifyLedger(world.runtime.db)).filter(({ count }) => count > 0),
    reviews: async () =>
      world.runtime.db.query<{ kind: string; outcome: string | null }>({
        text: "SELECT kind, data->>'outcome' AS outcome FROM review WHERE resolved_at IS NULL ORDER BY id",
      }),
  };
  return tools;
}
