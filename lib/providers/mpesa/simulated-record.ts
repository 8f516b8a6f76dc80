import { randomBase62 } from '@/lib/core/base62';
import { type Clock, DAY_MS, type Random } from '@/lib/core/clock';
import type { Behaviour, TransactionStatus } from './behaviours';
import type { Code } from './codes';
import type { PaymentRequest, ReversalRequest } from './wire';

/** A payment request that the simulated M-Pesa has accepted. */
export interface Transaction {
  readonly thirdPartyConversationId: string;
  readonly conversationId: string;
  /** The receipt number that is shown after completion. */
  readonly transactionId: string;
  readonly msisdn: string;
  /** Whole shillings. */
  readonly amount: number;
  readonly takenAt: number;
  readonly behaviour: Behaviour;
  /** When the payment was reversed through the API; null if it was not. */
  reversedAt: number | null;
}

interface RecordOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Multiplies every delay. */
  readonly delayFactor: number;
}

/** Creates the memory of the simulated M-Pesa: its transactions and the ids that requests have used. */
export function createRecord({ clock, random, delayFactor }: RecordOptions) {
  const transactions: Transaction[] = [];
  const byId = new Map<string, Transaction>();
  const seen = new Set<string>();
  const now = () => clock().getTime();
  const ageOf = ({ takenAt }: Transaction) => now() - takenAt;

  const record = {
    transactions,
    newReceipt: () => randomBase62(random, 10).toUpperCase(),
    newConversationId: () => randomBase62(random, 32).toLowerCase(),
    /** Returns false if the id has been used before. */
    claimId(thirdPartyConversationId: string): boolean {
      if (seen.has(thirdPartyConversationId)) return false;
      seen.add(thirdPartyConversationId);
      return true;
    },
    take(request: PaymentRequest, behaviour: Behaviour): Transaction {
      const transaction: Transaction = {
        thirdPartyConversationId: request.input_ThirdPartyConversationID,
        conversationId: record.newConversationId(),
        transactionId: record.newReceipt(),
        msisdn: request.input_CustomerMSISDN,
        amount: Number(request.input_Amount),
        takenAt: now(),
        behaviour,
        reversedAt: null,
      };
      transactions.push(transaction);
      const { thirdPartyConversationId, conversationId, transactionId } = transaction;
      for (const id of [thirdPartyConversationId, conversationId, transactionId]) byId.set(id, transaction);
      return transaction;
    },
    /** @param reference any of the ids that a query may name. */
    find: (reference: string): Transaction | undefined => byId.get(reference),
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
    /** Returns the amount requested from a customer in the last 24 hours, whole shillings. */
    requestedToday: (msisdn: string) =>
      transactions.filter((one) => one.msisdn === msisdn && ageOf(one) < DAY_MS).reduce((sum, { amount }) => sum + amount, 0),
    /** Reverses a payment. @returns the code of the error, or null on success. */
    reverse({ input_TransactionID: id, input_ReversalAmount: amount }: ReversalRequest): Code | null {
      const found = byId.get(id);
      if (found?.transactionId !== id) return 'INS-35';
      if (record.statusOf(found) !== 'Completed' || record.isReversed(found)) return 'INS-6';
      if (amount !== undefined && Number(amount) > found.amount) return 'INS-15';
      found.reversedAt = now();
      return null;
    },
  };
  return record;
}

export type SimulatedRecord = ReturnType<typeof createRecord>;
