import { randomBase62 } from '@/lib/core/base62';
import { type Clock, DAY_MS, type Random } from '@/lib/core/clock';
import { type Behaviour, behaviourOf, type TransactionStatus } from './behaviours';
import type { Code } from './codes';
import type { PushRequest, ReversalRequest } from './wire';

/** A push that the simulated platform has taken. */
export interface Transaction {
  readonly thirdPartyConversationId: string;
  readonly conversationId: string;
  /** The receipt it has once it is completed. */
  readonly transactionId: string;
  readonly msisdn: string;
  /** Whole shillings. */
  readonly amount: number;
  readonly takenAt: number;
  readonly behaviour: Behaviour;
  /** When somebody reversed it through the API. */
  reversedAt: number | null;
}

interface RecordOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Shortens every delay. */
  readonly delayFactor: number;
}

/** What the simulated platform knows, for as long as it runs. */
export function createRecord({ clock, random, delayFactor }: RecordOptions) {
  const transactions: Transaction[] = [];
  const seen = new Set<string>();
  const now = () => clock().getTime();
  const ageOf = ({ takenAt }: Transaction) => now() - takenAt;

  const record = {
    transactions,
    newReceipt: () => randomBase62(random, 10).toUpperCase(),
    newConversationId: () => randomBase62(random, 32).toLowerCase(),
    /** @returns false when the id has been used before. */
    claimId(thirdPartyConversationId: string): boolean {
      if (seen.has(thirdPartyConversationId)) return false;
      seen.add(thirdPartyConversationId);
      return true;
    },
    take(request: PushRequest): Transaction {
      const transaction: Transaction = {
        thirdPartyConversationId: request.input_ThirdPartyConversationID,
        conversationId: record.newConversationId(),
        transactionId: record.newReceipt(),
        msisdn: request.input_CustomerMSISDN,
        amount: Number(request.input_Amount),
        takenAt: now(),
        behaviour: behaviourOf(request.input_CustomerMSISDN),
        reversedAt: null,
      };
      transactions.push(transaction);
      return transaction;
    },
    /** @param reference any of the ids that a query may name. */
    find(reference: string): Transaction | undefined {
      return transactions.find((one) =>
        [one.thirdPartyConversationId, one.conversationId, one.transactionId].some((id) => id === reference),
      );
    },
    isHidden: (transaction: Transaction, indexingMs: number) =>
      ageOf(transaction) < Math.max(indexingMs, transaction.behaviour.hiddenMs ?? 0) * delayFactor,
    statusOf(transaction: Transaction): TransactionStatus {
      const done = transaction.behaviour.steps.filter(({ afterMs }) => afterMs * delayFactor <= ageOf(transaction));
      return done.at(-1)?.status ?? 'In Progress';
    },
    isReversed(transaction: Transaction): boolean {
      const { reversedAfterMs = Number.POSITIVE_INFINITY } = transaction.behaviour;
      return transaction.reversedAt !== null || ageOf(transaction) >= reversedAfterMs * delayFactor;
    },
    /** Whole shillings that a customer has been asked for in a day. */
    askedToday: (msisdn: string) =>
      transactions.filter((one) => one.msisdn === msisdn && ageOf(one) < DAY_MS).reduce((sum, { amount }) => sum + amount, 0),
    /** @returns what is wrong with a reversal, or null once it is done. */
    reverse({ input_TransactionID: id, input_ReversalAmount: amount }: ReversalRequest): Code | null {
      const found = transactions.find(({ transactionId }) => transactionId === id);
      if (!found) return 'INS-35';
      if (record.statusOf(found) !== 'Completed' || record.isReversed(found)) return 'INS-6';
      if (amount !== undefined && Number(amount) > found.amount) return 'INS-15';
      found.reversedAt = now();
      return null;
    },
  };
  return record;
}

export type SimulatedRecord = ReturnType<typeof createRecord>;
