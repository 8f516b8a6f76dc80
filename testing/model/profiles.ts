import fc from 'fast-check';
import { HAND_SOURCES } from '@/lib/gateway/ledger/rules';
import { FATES } from '../fakes/fake-adapter';
import { TILLS } from '../fakes/fake-record';
import * as accounts from './account-steps';
import * as callbacks from './callback-steps';
import * as cash from './cash-steps';
import * as closing from './closing-steps';
import { FAULTS } from './faults';
import * as gateway from './gateway-steps';
import * as instruments from './instrument-steps';
import * as leases from './lease-steps';
import * as operator from './operator-steps';
import * as provider from './provider-steps';
import * as refunds from './refund-steps';
import type { Service } from './stage';
import * as statements from './statement-steps';
import type { World } from './world';

/** One step of a history. It consists of small numbers, which select among the objects that exist when the step runs. */
export interface Step {
  run(world: World): Promise<void>;
  toString(): string;
}

/** Mobile numbers, as indexes into MOBILES: one of each provider. */
const ONE_OF_EACH = [0, 1, 2];

type Weighted = readonly [weight: number, step: fc.Arbitrary<Step>];

/** A kind of history: the weight of each step, and the maximum number of steps. */
export interface Profile {
  readonly steps: readonly Weighted[];
  /** The weight of parallel steps. */
  readonly together: number;
  readonly length: number;
  /** The share of the histories of this kind among all histories. */
  readonly share: number;
  /** The mobile numbers of the first bills, as indexes into MOBILES. */
  readonly mobiles: readonly number[];
  /** The number of bills at the start; 3 if missing. */
  readonly bills?: number;
  /** The networks of each till. Missing if each of the operator's tills serves one network. */
  readonly service?: Service;
}

const small = fc.nat({ max: 7 });
const tiny = fc.nat({ max: 3 });
const coin = fc.nat({ max: 1 });
/** Zero in at least two of three cases. With more faults, few histories would reach interesting states. */
const mostlyZero = (max: number) => fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max }) });
const script = { fate: mostlyZero(FATES.length - 1), word: mostlyZero(6), skew: mostlyZero(2) };
const fault = { kind: fc.constantFrom(...FAULTS.slice(1)), at: fc.nat({ max: 12 }) };

function step<Args>(
  run: (world: World, args: Args) => Promise<void>,
  shape: { [Key in keyof Args]: fc.Arbitrary<Args[Key]> },
): fc.Arbitrary<Step> {
  return fc.record(shape).map((args) => ({
    run: (world) => run(world, args),
    toString: () => `${run.name}(${JSON.stringify(args)})`,
  }));
}

const create = step(gateway.create, { amount: tiny, mobile: small, merchant: coin });
const push = step(gateway.push, { bill: tiny, mobile: fc.nat({ max: 6 }), part: tiny, form: mostlyZero(2) });
const work = step(gateway.work, script);
const releaseLater = step(gateway.releaseLater, { attempt: tiny });
const jump = step(gateway.jump, { far: small });
const answer = step(provider.answer, { prompt: tiny, how: fc.nat({ max: 5 }), late: mostlyZero(1), lag: mostlyZero(2) });
const payLate = step(provider.payLate, { prompt: tiny, wait: fc.nat({ max: 2 }), late: mostlyZero(1), lag: mostlyZero(2) });
const payInCall = step(leases.payInCall, { prompt: tiny, how: coin });
const deliver = step(callbacks.deliver, { notice: small, account: mostlyZero(1) });
const payUnasked = step(provider.payUnasked, { till: fc.nat({ max: 3 }), amount: tiny, late: mostlyZero(1) });
const takeBack = step(provider.takeBack, { payment: tiny, part: tiny, late: mostlyZero(1) });
const sendBack = step(operator.sendBack, { payment: tiny, part: tiny });
const workRefunds = step(gateway.workRefunds, script);
const allocate = step(operator.allocate, { payment: tiny, bill: tiny, part: tiny });
const refundByOperator = step(operator.refundByOperator, { payment: tiny, part: tiny });
const correct = step(operator.correct, { payment: tiny, how: fc.nat({ max: 4 }) });
const asked = { payment: tiny, of: tiny, part: tiny, byHand: mostlyZero(1) };
const askBack = step(refunds.askBack, asked);
const decide = step(refunds.decide, { refund: tiny, how: fc.nat({ max: 2 }), person: coin });
const giveBack = step(refunds.giveBack, { refund: tiny, source: fc.constantFrom(...HAND_SOURCES), twice: coin });
const correctGiven = step(refunds.correctGiven, { entry: tiny, how: fc.nat({ max: 2 }) });
const recordCash = step(cash.recordCash, {
  bill: tiny,
  part: tiny,
  source: fc.constantFrom(...HAND_SOURCES),
  overpay: coin,
  twice: mostlyZero(1),
});
const correctCash = step(cash.correctCash, { entry: tiny, how: fc.nat({ max: 2 }) });
const finishRefund = step(provider.finishRefund, { index: tiny });
const repeatReceipt = step(provider.repeatReceipt, { payment: tiny, prompt: tiny });
const correctReversal = step(operator.correctReversal, { reversal: tiny });
const move = step(operator.move, { payment: tiny, bill: tiny });
const repeatAmount = step(provider.repeatAmount, { payment: tiny, more: coin });
const readStatement = step(statements.readStatement, { till: fc.nat({ max: 3 }), first: mostlyZero(5), last: small, file: mostlyZero(2) });

/** Histories with all kinds of steps. */
const everything: Profile = {
  mobiles: ONE_OF_EACH,
  share: 0.2,
  length: 40,
  together: 6,
  steps: [
    [2, create],
    [6, push],
    [24, work],
    [2, step(gateway.workFaulty, { ...script, ...fault })],
    [4, step(gateway.workOn, {})],
    [2, step(gateway.hold, {})],
    [2, step(gateway.goOn, { index: tiny, ...script })],
    [2, step(gateway.comeBack, { index: tiny })],
    [5, jump],
    [2, step(gateway.release, { attempt: tiny })],
    [2, releaseLater],
    [1, step(gateway.ask, { attempt: tiny })],
    [2, step(closing.close, { bill: tiny })],
    [2, step(closing.reopen, { bill: tiny })],
    [1, step(operator.settleByWord, { attempt: tiny })],
    [3, allocate],
    [1, refundByOperator],
    [1, step(operator.settleRefundByWord, { refund: tiny })],
    [4, sendBack],
    [4, askBack],
    [2, decide],
    [2, giveBack],
    [8, workRefunds],
    [1, step(gateway.holdRefund, {})],
    [11, answer],
    [3, payLate],
    [1, payInCall],
    [6, deliver],
    [2, step(callbacks.deliverFaulty, { notice: small, repeats: coin, ...fault })],
    [1, step(gateway.workMessages, fault)],
    [1, payUnasked],
    [1, recordCash],
    [2, step(instruments.askOtherWay, { bill: tiny })],
    [4, step(gateway.workInstruments, { ...script, kind: fc.constant('none' as const), at: fc.constant(0) })],
    [3, step(instruments.payOtherWay, { instrument: tiny, how: tiny, late: mostlyZero(1) })],
    [3, takeBack],
    [2, finishRefund],
    [2, step(callbacks.contradict, { prompt: tiny, how: coin })],
    [1, step(callbacks.forge, { prompt: tiny, how: fc.nat({ max: 2 }) })],
    [1, step(callbacks.misdirect, { prompt: tiny })],
    [1, repeatReceipt],
    [1, repeatAmount],
    [1, correctReversal],
    [1, move],
    [2, readStatement],
    [1, step(accounts.renewAccount, { till: fc.nat({ max: 3 }), later: mostlyZero(1) })],
  ],
};

/**
 * Fates of calls, as indexes into FATES. Three of ten calls succeed. In four of ten calls, the worker hangs or dies. The other three have a
 * random fate.
 */
const callFate = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...(['hangs_before', 'hangs_after', 'hangs_unsent', 'dies_after'] as const))
      .map((fate) => FATES.indexOf(fate)),
  },
  { weight: 3, arbitrary: fc.nat({ max: FATES.length - 1 }) },
);
const call = { fate: callFate, word: mostlyZero(6), skew: mostlyZero(2) };

/** Workers that stop during an attempt and continue after others have taken over. */
const leasesLost: Profile = {
  mobiles: ONE_OF_EACH,
  share: 0.15,
  length: 12,
  together: 0,
  steps: [
    [
      8,
      step(leases.overtake, {
        stop: fc.nat({ max: 5 }),
        renewed: mostlyZero(2),
        first: fc.record(call),
        before: fc.array(fc.record(call), { minLength: 1, maxLength: 4 }),
        after: fc.array(fc.record(call), { maxLength: 2 }),
      }),
    ],
    [6, step(gateway.work, call)],
    [2, push],
    [1, step(gateway.hold, {})],
    [1, step(gateway.goOn, { index: tiny, ...call })],
    [1, step(gateway.comeBack, { index: tiny })],
    [1, jump],
    [2, answer],
    [2, payLate],
    [2, payInCall],
    [2, releaseLater],
    [2, deliver],
  ],
};

/** Many kinds of payments and reversals, and few attempts. */
const money: Profile = {
  mobiles: ONE_OF_EACH,
  share: 0.1,
  length: 45,
  together: 4,
  steps: [
    [1, create],
    [2, push],
    [4, step(gateway.workOn, {})],
    [8, answer],
    [3, deliver],
    [4, payUnasked],
    [5, allocate],
    [3, step(operator.allocateTwice, { payment: tiny, bill: tiny })],
    [1, refundByOperator],
    [5, takeBack],
    [5, sendBack],
    [6, workRefunds],
    [3, step(operator.sendBackHalves, { payment: tiny })],
    [3, finishRefund],
    [3, repeatReceipt],
    [2, repeatAmount],
    [3, correctReversal],
    [2, move],
    [3, readStatement],
    [2, jump],
  ],
};

const unanswered = fc.constantFrom(...(['answer_lost', 'lost', 'unreadable', 'dies_after', 'dies_stored'] as const));
const lost = { fate: unanswered.map((fate) => FATES.indexOf(fate)), word: mostlyZero(6), skew: fc.constant(0) };
/** The till of the provider that repeats its answers, as an index into TILLS, and its mobile numbers, as indexes into MOBILES. */
const [REPEATING_TILL, REPEATING_MOBILE] = [TILLS.indexOf('repeating'), fc.constantFrom(2, 5)];

/** Payment requests whose answer is lost. Bili repeats them while the customer answers the prompt and the bill changes. */
const answersLost: Profile = {
  mobiles: [2, 5, 2],
  share: 0.1,
  length: 14,
  together: 2,
  steps: [
    [1, step(gateway.create, { amount: tiny, mobile: REPEATING_MOBILE, merchant: coin })],
    [2, step(gateway.push, { bill: tiny, mobile: REPEATING_MOBILE, part: tiny, form: mostlyZero(2) })],
    [8, step(gateway.work, lost)],
    [4, step(gateway.work, script)],
    [1, step(gateway.hold, {})],
    [2, step(gateway.goOn, { index: tiny, ...script })],
    [4, answer],
    [4, deliver],
    [2, step(gateway.jump, { far: fc.nat({ max: 2 }) })],
    [2, step(provider.payUnasked, { till: fc.constant(REPEATING_TILL), amount: tiny, late: fc.constant(0) })],
    [3, allocate],
    [1, releaseLater],
    [1, step(closing.close, { bill: tiny })],
    [1, step(gateway.ask, { attempt: tiny })],
  ],
};

/** Half of the requests are answered. The other half is lost, not sent, or interrupted. */
const doubtfulCall = {
  fate: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: FATES.length - 1 }) }),
  word: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constantFrom(6, 7) },
    { weight: 2, arbitrary: fc.nat({ max: 7 }) },
  ),
  skew: fc.constant(0),
};

/**
 * Several accounts for each network, which refuse requests rightly or wrongly. Answers are lost, and callbacks that prove nothing claim
 * payments.
 */
const failover: Profile = {
  mobiles: ONE_OF_EACH,
  // With few attempts, much happens to each of them.
  bills: 1,
  service: {
    signed: ['vodacom', 'halotel'],
    unsigned: ['vodacom', 'airtel', 'halotel'],
    own: ['vodacom'],
    repeating: ['airtel', 'halotel'],
  },
  share: 0.1,
  length: 30,
  together: 2,
  steps: [
    [1, create],
    [2, push],
    [18, step(gateway.work, doubtfulCall)],
    [2, step(gateway.workOn, {})],
    [1, step(gateway.workFaulty, { ...script, ...fault })],
    [1, step(gateway.hold, {})],
    [2, step(gateway.goOn, { index: tiny, ...doubtfulCall })],
    [2, step(gateway.comeBack, { index: tiny })],
    [3, step(gateway.jump, { far: fc.nat({ max: 4 }) })],
    [1, releaseLater],
    [4, answer],
    [5, step(provider.payRefused, { prompt: tiny, late: mostlyZero(1) })],
    [4, deliver],
    [6, step(callbacks.forge, { prompt: tiny, how: fc.constantFrom(0, 3) })],
    [1, step(callbacks.contradict, { prompt: tiny, how: coin })],
    [3, step(statements.readStatement, { till: fc.nat({ max: 3 }), first: mostlyZero(5), last: small, file: mostlyZero(2) })],
    [1, step(gateway.ask, { attempt: tiny })],
    [1, step(closing.close, { bill: tiny })],
    [1, step(operator.settleByWord, { attempt: tiny })],
    [1, allocate],
    [1, step(accounts.renewAccount, { till: fc.nat({ max: 3 }), later: mostlyZero(1) })],
    [1, step(accounts.shareApplication, { till: fc.nat({ max: 3 }), taken: coin })],
  ],
};

/** Refunds outside Bili, corrections of payments and of reversals, and reversals before and after them. */
const corrections: Profile = {
  // Most payments are at the provider that does not report the amounts of reversals, so that people correct them.
  mobiles: [1, 1, 0],
  share: 0.1,
  length: 40,
  together: 3,
  steps: [
    [1, create],
    [1, push],
    [4, step(gateway.workOn, {})],
    [6, answer],
    [2, deliver],
    [3, step(provider.payUnasked, { till: fc.constantFrom(0, 1, 1, 2), amount: tiny, late: mostlyZero(1) })],
    [5, allocate],
    [6, refundByOperator],
    [7, correct],
    [5, correctReversal],
    [6, takeBack],
    [4, sendBack],
    [4, workRefunds],
    [2, finishRefund],
    [1, step(operator.settleRefundByWord, { refund: tiny })],
    [1, repeatReceipt],
    [1, repeatAmount],
    [2, askBack],
    [2, giveBack],
    [3, recordCash],
    [3, correctCash],
    [2, correctGiven],
    [3, move],
    [2, readStatement],
    [1, jump],
  ],
};

/** Refunds by every way, with lost answers, several people and a provider that reverses payments by itself. */
const refunded: Profile = {
  // Most payments are at the provider that sends payouts.
  mobiles: [2, 2, 0],
  share: 0.15,
  length: 40,
  together: 3,
  steps: [
    [1, create],
    [1, push],
    [4, step(gateway.workOn, {})],
    [8, answer],
    [2, deliver],
    [3, allocate],
    [3, recordCash],
    [1, correctCash],
    [8, askBack],
    [2, step(refunds.askBackTwice, asked)],
    [9, decide],
    [5, giveBack],
    [1, correctGiven],
    [3, sendBack],
    [2, refundByOperator],
    [12, workRefunds],
    [2, step(gateway.workMessages, fault)],
    [1, step(gateway.holdRefund, {})],
    [2, step(gateway.goOn, { index: tiny, ...script })],
    [2, step(gateway.comeBack, { index: tiny })],
    [4, finishRefund],
    [2, step(operator.settleRefundByWord, { refund: tiny })],
    [3, takeBack],
    [1, correct],
    [1, move],
    [1, readStatement],
    [3, jump],
  ],
};

/** Payments without a prompt, beside prompts: of any amount, twice, and after the end, with lost answers and parts of bills. */
const otherWays: Profile = {
  mobiles: ONE_OF_EACH,
  share: 0.15,
  length: 40,
  together: 4,
  steps: [
    [1, create],
    [2, push],
    [4, step(gateway.workOn, {})],
    [4, work],
    [6, step(instruments.askOtherWay, { bill: tiny })],
    [2, step(instruments.askOtherWayTwice, { bill: tiny })],
    [16, step(gateway.workInstruments, { ...script, kind: fc.constant('none' as const), at: fc.constant(0) })],
    [3, step(gateway.workInstruments, { ...script, ...fault })],
    [1, step(gateway.holdInstrument, {})],
    [2, step(gateway.goOn, { index: tiny, ...script })],
    [2, step(gateway.comeBack, { index: tiny })],
    [1, recordCash],
    [12, step(instruments.payOtherWay, { instrument: tiny, how: tiny, late: mostlyZero(1) })],
    [1, step(instruments.endOtherWay, { instrument: tiny })],
    [4, answer],
    [4, deliver],
    [1, step(callbacks.deliverFaulty, { notice: small, repeats: coin, ...fault })],
    [2, step(gateway.workMessages, fault)],
    [2, step(closing.close, { bill: tiny })],
    [2, step(closing.reopen, { bill: tiny })],
    [2, takeBack],
    [2, sendBack],
    [1, askBack],
    [2, giveBack],
    [3, workRefunds],
    [1, allocate],
    [1, correct],
    [1, move],
    [2, readStatement],
    [3, jump],
    [1, step(accounts.renewAccount, { till: fc.nat({ max: 3 }), later: mostlyZero(1) })],
  ],
};

export const PROFILES: Readonly<Record<string, Profile>> = {
  everything,
  leasesLost,
  money,
  answersLost,
  failover,
  corrections,
  refunded,
  otherWays,
};
