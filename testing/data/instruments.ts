import { beforeAll, beforeEach } from 'vitest';
import { type AskInstrumentsRefusal, askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { listInstruments } from '@/lib/gateway/instruments/store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { FATES } from '@/testing/fakes/fake-adapter';
import type { FakeInstrument } from '@/testing/fakes/fake-record';
import { readBooks } from '@/testing/model/books';
import { deliverNotice } from '@/testing/model/callback-steps';
import { NO_FAULT } from '@/testing/model/faults';
import { claim, workInstruments } from '@/testing/model/gateway-steps';
import { type Stage, setStage } from '@/testing/model/stage';
import { createWorld, HONEST, type World } from '@/testing/model/world';
import { makeBill, makeMerchant, type TestMerchant, type TestRuntime } from '@/testing/runtime';

/** How the fake provider reacts to a request for an instrument; see `receiveInstrument`. */
export const WORDS = { issued: 0, forAnHour: 1, refused: 2, duplicate: 3, foundLate: 4 } as const;

/** The kind of the instrument of each fake provider; see `FAKE_OFFERS`. The first merchant gets its `order` from its own account. */
type Kind = 'order' | 'code' | 'bill';

/** Issues instruments of fake providers, and pays them. Each test has an empty database and two merchants. */
export function testInstruments(runtime: () => TestRuntime) {
  let stage: Stage;
  let world: World;
  beforeAll(async () => {
    stage = await setStage(runtime(), [await makeMerchant(runtime()), await makeMerchant(runtime())]);
  });
  beforeEach(async () => {
    world = await createWorld(stage);
  });

  const merchant = (index = 0): TestMerchant => {
    const found = stage.merchants[index];
    if (!found) throw new Error(`there is no merchant ${index}`);
    return found;
  };

  const tools = {
    world: () => world,
    gateway: () => world.process(HONEST),
    merchant,
    /** Creates a bill of 5,000 shillings, by default without a phone number. */
    createBill: (index = 0, mobile: string | null = null) => makeBill(world.runtime, merchant(index), { amount: 5000, mobile }),

    /** Asks for the instruments of a bill. Returns the kinds of the open ones, or why there are none. */
    async ask(billId: string): Promise<string[] | AskInstrumentsRefusal> {
      const asked = await askInstruments(tools.gateway(), billId, 'test');
      return asked.ok ? asked.value.filter(({ state }) => state !== 'ENDED').map(({ kind }) => kind) : asked.error;
    },

    /** Does the next step of the instrument that is due first. */
    async step(fate: (typeof FATES)[number] = 'answered', word = 0): Promise<void> {
      world.books = await readBooks(world.runtime.db);
      await workInstruments(world, { fate: FATES.indexOf(fate), word, ...NO_FAULT });
    },

    /** Does all steps that are due now, as long as there are some. */
    async work(): Promise<void> {
      for (let steps = 0; steps < 50; steps += 1) {
        world.books = await readBooks(world.runtime.db);
        const now = world.runtime.clock().getTime();
        if (!world.books.instruments.some(({ due_at }) => due_at !== null && Date.parse(due_at) <= now)) return;
        await workInstruments(world, { ...HONEST, ...NO_FAULT });
      }
      throw new Error('instruments are due again and again');
    },

    /** Creates a bill whose instruments are all issued. */
    async issued(index = 0, mobile: string | null = null): Promise<string> {
      const billId = await tools.createBill(index, mobile);
      await tools.ask(billId);
      await tools.work();
      return billId;
    },

    list: (billId: string) => listInstruments(world.runtime.db, billId),
    /** The newest instrument of a kind. */
    async find(billId: string, kind: Kind) {
      const found = (await tools.list(billId)).findLast((one) => one.kind === kind);
      if (!found) throw new Error(`the bill has no ${kind}`);
      return found;
    },

    /** What the provider has issued. */
    async theirs(billId: string, kind: Kind): Promise<FakeInstrument> {
      const issued = world.provider.instruments.get((await tools.find(billId, kind)).ourReference);
      if (!issued) throw new Error(`the provider has not issued the ${kind}`);
      return issued;
    },

    /** A customer pays an instrument. Delivers the callback, and returns the receipt number. @param senti by default its amount. */
    async pay(billId: string, kind: Kind, { senti, callbacks = 1 }: { senti?: number; callbacks?: number } = {}): Promise<string> {
      return tools.payIssued(await tools.theirs(billId, kind), senti, callbacks);
    },

    async payIssued(issued: FakeInstrument, senti = issued.amount, callbacks = 1): Promise<string> {
      const made = world.provider.notices.length;
      const report = world.provider.payInstrument(issued, senti);
      world.books = await readBooks(world.runtime.db);
      const [notice] = world.provider.notices.slice(made);
      for (let count = 0; notice && count < callbacks; count += 1) await deliverNotice(world, notice);
      return 'receipt' in report ? (report.receipt ?? '') : '';
    },

    /** Sends the prompt of a bill. */
    async sendPrompt(): Promise<void> {
      for (const attempt of await claim(world, 1)) await attempt.work(HONEST);
    },

    bill: async (id: string) => world.runtime.db.prisma.bill.findUniqueOrThrow({ where: { id } }),
    payments: async () => world.runtime.db.prisma.payment.findMany({ orderBy: { id: 'asc' }, include: { allocations: true } }),
    reviews: async () => world.runtime.db.prisma.review.findMany({ where: { resolvedAt: null }, select: { kind: true } }),
    /** What `bili doctor` finds wrong with the ledger. */
    breaches: async () => (await verifyLedger(world.runtime.db)).filter(({ count }) => count > 0),
  };
  return tools;
}
