import { constants, generateKeyPair, privateDecrypt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { randomBase62 } from '@/lib/platform/core/base62';
import { type Clock, DAY_MS, type Random, SECOND_MS } from '@/lib/platform/core/clock';
import { callOnce } from '@/lib/platform/outbound/call-once';
import { ANY_OTHER, type Behaviour, behaviourOf, type Ending } from '@/lib/providers/kit/behaviours';
import { type PayoutBehaviour, payoutBehaviourOf } from '@/lib/providers/kit/payouts';
import type { SimulationOptions } from '@/lib/providers/kit/simulation';
import { parseJson } from '@/lib/providers/port/raw-answer';
import { type Callback, CODES, type Code, callbackReply, type PaymentRequest, type ReversalRequest } from './wire';

/** What `POST /control` can change while the simulator runs. */
export const controlSchema = z.strictObject({
  mode: z.enum(['sync', 'async']).optional(),
  /** The application's Response URL; null for no callbacks. */
  callbackUrl: z.url().nullable().optional(),
  /** Limit of the amounts requested from one customer in a day, whole shillings; null for no limit. */
  dailyLimit: z.int().positive().nullable().optional(),
  /** Whether requests for a session are refused with INS-989. */
  sessionsFail: z.boolean().optional(),
  /** Whether no request gets an answer, except the request for a session. */
  hangs: z.boolean().optional(),
  /** Whether payment requests are refused with INS-997, as for an organisation whose API is not enabled. */
  suspended: z.boolean().optional(),
  /** A new API key. The previous key opens no more sessions. */
  apiKey: z.string().min(8).optional(),
  /** Ends all open sessions. */
  endSessions: z.literal(true).optional(),
});
export type Control = z.infer<typeof controlSchema>;

type Conduct = { -readonly [Name in keyof Omit<Control, 'apiKey' | 'endSessions'>]-?: Exclude<Control[Name], undefined> };

export interface Platform {
  readonly clock: Clock;
  readonly access: Access;
  readonly record: SimulatedRecord;
  readonly announcements: Announcement[];
  readonly refusals: { readonly at: Date; readonly request: string; readonly status: number; readonly why: string }[];
  readonly conduct: Conduct;
  readonly serviceProviderCode: string;
  readonly indexingMs: number;
  readonly delayFactor: number;
  readonly chooseBehaviour: (msisdn: string) => Behaviour;
  readonly stopping: AbortSignal;
  /** Number of synchronous calls that wait for their customer: now, and the maximum so far. */
  readonly held: { now: number; most: number };
}

/** Waits for a time multiplied by `delayFactor`, or until the simulator stops. */
async function pause({ delayFactor, stopping }: Platform, ms: number): Promise<void> {
  await delay(ms * delayFactor, undefined, { signal: stopping }).catch(() => undefined);
}

/** Holds a synchronous call until its customer answers. */
export async function hold(platform: Platform, ms: number): Promise<void> {
  const { held } = platform;
  held.now += 1;
  held.most = Math.max(held.most, held.now);
  await pause(platform, ms);
  held.now -= 1;
}

const CALLBACK_TIMEOUT_MS = 5 * SECOND_MS;

interface Announcement {
  readonly callback: Callback;
  readonly sentAt: Date;
  readonly repliedAt: Date;
  readonly status: number | null;
  readonly reply: unknown;
  /** Whether the reply is the one that M-Pesa documents. */
  readonly asExpected: boolean;
}

interface TransactionResult {
  readonly conversationId: string;
  readonly thirdPartyConversationId: string;
  /** Null if no money moved. */
  readonly transactionId: string | null;
  readonly code: Code;
}

/** Posts a result to the Response URL. A failed post is not repeated, because M-Pesa documents no repetition. */
export async function announce(
  { clock }: Pick<Platform, 'clock'>,
  callbackUrl: string,
  { conversationId, thirdPartyConversationId, transactionId, code }: TransactionResult,
): Promise<Announcement> {
  const callback: Callback = {
    input_OriginalConversationID: conversationId,
    input_TransactionID: transactionId ?? 'N/A',
    input_ResultCode: code,
    input_ResultDesc: CODES[code].description,
    input_ThirdPartyConversationID: thirdPartyConversationId,
  };
  const sentAt = clock();
  const { status, body } = await callOnce(callbackUrl, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(callback),
    timeoutMs: CALLBACK_TIMEOUT_MS,
  });
  const repliedAt = clock();
  const reply = parseJson(body);
  const asExpected = status === 200 && JSON.stringify(reply) === JSON.stringify(callbackReply(callback));
  return { callback, sentAt, repliedAt, status, reply, asExpected };
}

/** Sends the callbacks of each step when the step is due. Resolves when all are sent, or when the simulator stops. */
export async function announceSteps(platform: Platform, transaction: Transaction): Promise<void> {
  const { conduct, announcements } = platform;
  if (conduct.mode === 'sync') return;
  await Promise.all(
    transaction.behaviour.steps.map(async (step) => {
      await pause(platform, step.afterMs);
      for (let made = 0; made < step.callbacks && conduct.callbackUrl !== null && !platform.stopping.aborted; made += 1) {
        const { conversationId, thirdPartyConversationId } = transaction;
        const { code } = ENDINGS[step.ending];
        const transactionId = code === 'INS-0' ? transaction.transactionId : null;
        announcements.push(
          await announce(platform, conduct.callbackUrl, { conversationId, thirdPartyConversationId, transactionId, code }),
        );
      }
    }),
  );
}

/** A payment request that the simulated M-Pesa has accepted. */
interface Transaction {
  readonly thirdPartyConversationId: string;
  readonly conversationId: string;
  /** The receipt number that is shown after completion. */
  readonly transactionId: string;
  readonly msisdn: string;
  /** Whole shillings. */
  readonly amount: number;
  readonly takenAt: number;
  readonly behaviour: Behaviour;
  /** When the payment is reversed through the API; null if it is not. */
  reversedAt: number | null;
}

/** Creates the memory of the simulated M-Pesa: its transactions and the ids that requests have used. */
export function createRecord({ clock, random, delayFactor }: Required<Pick<SimulationOptions, 'clock' | 'random' | 'delayFactor'>>) {
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
      const last = done.at(-1);
      return last ? ENDINGS[last.ending].status : 'In Progress';
    },
    isReversed(transaction: Transaction): boolean {
      const { reversedAfterMs = Number.POSITIVE_INFINITY } = transaction.behaviour;
      return (transaction.reversedAt ?? Number.POSITIVE_INFINITY) <= now() || ageOf(transaction) >= reversedAfterMs * delayFactor;
    },
    /** Returns the amount requested from a customer in the last 24 hours, whole shillings. */
    requestedToday: (msisdn: string) =>
      transactions.filter((one) => one.msisdn === msisdn && ageOf(one) < DAY_MS).reduce((sum, { amount }) => sum + amount, 0),
    /**
     * Reverses a payment as the last digits of the payer's number say for payouts. Returns the code of the error, or the behaviour. A reversal
     * that the table says fails is never made, because no status query reports a failed reversal.
     */
    reverse({ input_TransactionID: id, input_ReversalAmount: amount }: ReversalRequest): Code | PayoutBehaviour {
      const found = byId.get(id);
      if (found?.transactionId !== id) return 'INS-35';
      if (record.statusOf(found) !== 'Completed' || record.isReversed(found)) return 'INS-6';
      if (amount !== undefined && Number(amount) > found.amount) return 'INS-15';
      const behaviour = payoutBehaviourOf(found.msisdn);
      if (behaviour.refusal === 'refused') return 'INS-6';
      if (behaviour.ending === 'paid') found.reversedAt = now() + behaviour.afterMs * delayFactor;
      return behaviour;
    },
  };
  return record;
}

type SimulatedRecord = ReturnType<typeof createRecord>;

const generate = promisify(generateKeyPair);

interface AccessOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly keyBits: number;
  readonly sessionMs: number;
  /** How long the simulator refuses a new session after it was opened, milliseconds. */
  readonly warmupMs: number;
}

/** Access control of the simulated M-Pesa: one application, its API key and its sessions. */
type Access = Awaited<ReturnType<typeof createAccess>>;

export async function createAccess({ clock, random, keyBits, sessionMs, warmupMs }: AccessOptions) {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: keyBits });
  let apiKey = hex(random(16));
  const sessions = new Map<string, number>();
  let opened = 0;
  /** Caches the secret of the last Authorization header. Clients repeat the header, and decryption takes most of the time of a call. */
  let last: { readonly authorization: string; readonly secret: string } | null = null;

  function decryptSecret(authorization = ''): string | null {
    if (last?.authorization === authorization) return last.secret;
    const encrypted = /^Bearer ([A-Za-z0-9+/=]+)$/.exec(authorization)?.[1];
    if (!encrypted) return null;
    try {
      const options = { key: privateKey, padding: constants.RSA_PKCS1_PADDING };
      const secret = privateDecrypt(options, Buffer.from(encrypted, 'base64')).toString('utf8');
      last = { authorization, secret };
      return secret;
    } catch {
      return null;
    }
  }

  return {
    get apiKey(): string {
      return apiKey;
    },
    /** Replaces the API key. Open sessions stay valid. */
    setApiKey(key: string): void {
      apiKey = key;
    },
    /** DER (SPKI) in base64, as the portal shows it. */
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    /** Returns the id of a new session; null if the Authorization header does not contain the API key. */
    openSession(authorization: string | undefined): string | null {
      if (decryptSecret(authorization) !== apiKey) return null;
      const id = hex(random(16));
      sessions.set(id, clock().getTime());
      opened += 1;
      return id;
    },
    /** Returns whether the Authorization header contains the id of a session that is valid now. */
    admits(authorization: string | undefined): boolean {
      const openedAt = sessions.get(decryptSecret(authorization) ?? '');
      if (openedAt === undefined) return false;
      const age = clock().getTime() - openedAt;
      return age >= warmupMs && age < sessionMs;
    },
    endSessions: () => sessions.clear(),
    /** Returns the number of sessions opened so far. */
    sessionsOpened: () => opened,
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The states of a payment in a status answer. */
type TransactionStatus = 'In Progress' | 'Completed' | 'Cancelled' | 'Expired' | 'Failed';

/** How the platform reports the end of a payment: in status answers, and in the synchronous answer or the callback. */
export const ENDINGS: Readonly<Record<Ending, { readonly status: TransactionStatus; readonly code: Code }>> = {
  paid: { status: 'Completed', code: 'INS-0' },
  cancelled: { status: 'Cancelled', code: 'INS-6' },
  wrong_pin: { status: 'Failed', code: 'INS-6' },
  insufficient_funds: { status: 'Failed', code: 'INS-2006' },
  internal_error: { status: 'Failed', code: 'INS-1' },
  expired: { status: 'Expired', code: 'INS-9' },
};

/** Describes the behaviour for the last digits of a mobile number, for the help of the command line. */
export const MEANINGS = [
  ['001', 'paid after 1 s'],
  ['002, 003, 004', 'cancelled, wrong PIN, insufficient balance, after 2 s'],
  ['005', 'the customer does not answer: expired after 60 s'],
  ['006', 'not registered with M-Pesa: refused immediately'],
  ['007', 'paid, and no callback comes'],
  ['008', 'paid, and the callback comes twice'],
  ['010', 'paid, but the answer to the request is lost'],
  ['011', 'expired after 60 s, but paid after 90 s'],
  ['012', 'the callback comes before the answer'],
  ['013', 'rejected with HTTP 429: too many requests'],
  ['014', 'insufficient balance, reported as an internal error'],
  ['015', "the customer's limit is exceeded"],
  ['016', 'paid, but status queries do not find it for 30 s'],
  ['017', 'the connection is closed before the request is accepted'],
  ['018', 'a gateway in front of the platform answers 502'],
  ['019', 'paid, but the answer is an HTML page'],
  ['020', 'paid, and reversed outside Bili after 50 s'],
  ['021', 'paid after 150 s'],
  ['any other', 'paid after 5 s'],
] as const;

/** Returns the behaviour of a number. This simulator forges no callbacks, so the number of the kit for these has no meaning of its own. */
export function behaviourOfNumber(msisdn: string): Behaviour {
  const behaviour = behaviourOf(msisdn);
  return behaviour.forgedAfterMs === undefined ? behaviour : ANY_OTHER;
}
