import type { Clock } from '@/lib/core/clock';
import type { FailureReason } from '@/lib/payments/outcome';
import type { Push, Reversal } from '@/lib/providers/port';

/**
 * Two kinds of provider. `signed` signs its callbacks, refuses a reference it has seen, and says everything about a reversal.
 * `unsigned` signs nothing, would prompt again for the same reference, never says how much went back, and when it is asked
 * not under which receipt either.
 */
export type Variant = 'signed' | 'unsigned';

/** What the provider says, as it goes over the wire: amounts are senti. */
export type Said =
  | { readonly kind: 'accepted' | 'pending' | 'expired' | 'not_found' | 'duplicate' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'paid'; readonly receipt: string; readonly amount: number }
  | {
      readonly kind: 'reversed';
      readonly receipt: string;
      readonly amount: number;
      readonly reversed: number | null;
      readonly reversal: string | null;
    };

export interface Prompt {
  readonly reference: string;
  readonly variant: Variant;
  readonly mobile: string;
  readonly amount: number;
  /** From when on status queries find it. */
  readonly indexedAt: number;
  status: 'asking' | 'paid' | 'expired' | FailureReason;
}

export interface Transaction {
  readonly kind: 'payment' | 'reversal';
  readonly variant: Variant;
  readonly receipt: string;
  readonly amount: number;
  /** Of a payment: what it was paid for. */
  readonly reference: string;
  /** Of a reversal: the receipt of the payment. */
  readonly of: string | null;
  readonly at: Date;
}

/** A callback that the provider made; it may be delivered never, late, or several times. */
export interface Notice {
  readonly variant: Variant;
  readonly reference: string;
  readonly said: Said;
  delivered: boolean;
}

interface SendingBack {
  readonly variant: Variant;
  readonly receipt: string;
  readonly amount: number | null;
  state: 'taken' | 'refused' | { readonly reversal: string };
}

export type FakeProvider = ReturnType<typeof createFakeProvider>;

/** The provider's own record, the truth that the gateway is held against. It does what it is told, and nothing by itself. */
export function createFakeProvider(clock: Clock) {
  const prompts = new Map<string, Prompt>();
  const transactions: Transaction[] = [];
  const notices: Notice[] = [];
  const sendingBack = new Map<string, SendingBack>();
  /** What must never be asked of a provider, as sentences. */
  const complaints: string[] = [];

  const paymentsFor = (reference: string) => transactions.filter((tx) => tx.kind === 'payment' && tx.reference === reference);
  const reversalsOf = (receipt: string) => transactions.filter((tx) => tx.of === receipt);
  const notify = (variant: Variant, reference: string, said: Said) => notices.push({ variant, reference, said, delivered: false });

  function keptOf(receipt: string): number {
    const payment = transactions.find((tx) => tx.kind === 'payment' && tx.receipt === receipt);
    return reversalsOf(receipt).reduce((kept, { amount }) => kept - amount, payment?.amount ?? 0);
  }

  /** Money under a reference, ours or not. */
  function pay(variant: Variant, reference: string, amount: number): Said {
    const receipt = `P${transactions.length + 1}`;
    transactions.push({ kind: 'payment', variant, receipt, amount, reference, of: null, at: clock() });
    const prompt = prompts.get(reference);
    if (prompt) prompt.status = 'paid';
    const said: Said = { kind: 'paid', receipt, amount };
    notify(variant, reference, said);
    return said;
  }

  /** Sends back what is kept of a payment, or part of that. @returns the receipt of the reversal. */
  function reverse(payment: Transaction, amount: number): string {
    const reversal = `R${transactions.length + 1}`;
    const { variant, reference, receipt } = payment;
    transactions.push({ kind: 'reversal', variant, receipt: reversal, amount, reference, of: receipt, at: clock() });
    notify(variant, reference, { kind: 'reversed', receipt, amount: payment.amount, reversed: amount, reversal });
    return reversal;
  }

  /** A push arrives. @param word 0 it is accepted, 1 accepted and slow to be found, 2 refused, 3 paid at once, 4 expired at once. */
  function receivePush(variant: Variant, push: Push, word: number): Said {
    const { reference, mobile } = push;
    const amount = Number(push.amount);
    const earlier = prompts.get(reference);
    if (earlier) {
      if (variant === 'unsigned') complaints.push(`push ${reference} was sent twice`);
      if (earlier.amount !== amount || earlier.mobile !== mobile) complaints.push(`push ${reference} was sent as another`);
      return { kind: 'duplicate' };
    }
    const indexedAt = clock().getTime() + (word === 1 ? 4_000 : 0);
    const prompt: Prompt = { reference, variant, mobile, amount, indexedAt, status: 'asking' };
    prompts.set(reference, prompt);
    if (word === 2) return decline(prompt, 'mobile_not_registered');
    if (word === 3) return pay(variant, reference, amount);
    if (word === 4) return expire(prompt);
    return { kind: 'accepted' };
  }

  function decline(prompt: Prompt, reason: FailureReason): Said {
    prompt.status = reason;
    const said: Said = { kind: 'failed', reason };
    notify(prompt.variant, prompt.reference, said);
    return said;
  }

  function expire(prompt: Prompt): Said {
    prompt.status = 'expired';
    const said: Said = { kind: 'expired' };
    notify(prompt.variant, prompt.reference, said);
    return said;
  }

  /** What a status query finds. */
  function tell(reference: string): Said {
    const prompt = prompts.get(reference);
    if (!prompt || clock().getTime() < prompt.indexedAt) return { kind: 'not_found' };
    if (prompt.status === 'asking') return { kind: 'pending' };
    if (prompt.status === 'expired') return { kind: 'expired' };
    if (prompt.status !== 'paid') return { kind: 'failed', reason: prompt.status };
    const [payment] = paymentsFor(reference);
    if (!payment) throw new Error(`${reference} is paid without a payment`);
    const { receipt, amount } = payment;
    const last = reversalsOf(receipt).at(-1);
    if (last && prompt.variant === 'signed') return { kind: 'reversed', receipt, amount, reversed: last.amount, reversal: last.receipt };
    if (last && keptOf(receipt) === 0) return { kind: 'reversed', receipt, amount, reversed: null, reversal: null };
    return { kind: 'paid', receipt, amount };
  }

  /** A request to send money back arrives. @param word 0 done, 1 taken and done later, 2 refused. */
  function receiveReversal(variant: Variant, { reference, transactionId, amount }: Reversal, word: number): Said {
    if (sendingBack.has(reference)) complaints.push(`reversal ${reference} was sent twice`);
    const request: SendingBack = {
      variant,
      receipt: transactionId,
      amount: amount === null ? null : Number(amount),
      state: word === 2 ? 'refused' : 'taken',
    };
    sendingBack.set(reference, request);
    if (word === 0) sendBack(request);
    return tellReversal(reference);
  }

  /** Does what it took on, unless less is left than that by now. */
  function sendBack(request: SendingBack): void {
    const payment = transactions.find((tx) => tx.kind === 'payment' && tx.receipt === request.receipt);
    if (request.state !== 'taken' || !payment) return;
    const amount = request.amount ?? payment.amount;
    request.state = amount > keptOf(request.receipt) ? 'refused' : { reversal: reverse(payment, amount) };
  }

  function tellReversal(reference: string): Said {
    const request = sendingBack.get(reference);
    if (!request || request.state === 'taken') return { kind: 'pending' };
    if (request.state === 'refused') return { kind: 'failed', reason: 'rejected' };
    const { reversal } = request.state;
    const amount = transactions.find(({ receipt }) => receipt === reversal)?.amount ?? 0;
    return { kind: 'reversed', receipt: request.receipt, amount, reversed: amount, reversal };
  }

  /** What the unsigned provider knows: whether anything of a payment went back. */
  function tellReversed(receipt: string): Said {
    const last = reversalsOf(receipt).at(-1);
    return last ? { kind: 'reversed', receipt, amount: 0, reversed: null, reversal: null } : { kind: 'pending' };
  }

  return {
    prompts,
    transactions,
    notices,
    sendingBack,
    complaints,
    notify,
    paymentsFor,
    reversalsOf,
    keptOf,
    pay,
    reverse,
    receivePush,
    decline,
    expire,
    tell,
    receiveReversal,
    sendBack,
    tellReversal,
    tellReversed,
  };
}
