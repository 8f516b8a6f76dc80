import type { Clock, Random } from '@/lib/platform/core/clock';
import type { PromptRequest, ProviderAccount, RawAnswer, Refund } from '@/lib/providers/port/port';

/** A payment request, for tests that read answers. */
export const PROMPT: PromptRequest = {
  reference: '0123456789ABCDEFGHIJ',
  providerReference: null,
  mobile: '0754000001',
  network: 'vodacom',
  amount: 500_000n,
  description: 'Bill',
};

/** A refund of that payment, for tests that read answers. */
export const REFUND: Refund = {
  reference: 'ABCDEFGHIJ0123456789',
  providerReference: null,
  transactionId: 'RECEIPT',
  promptReference: PROMPT.reference,
  mobile: PROMPT.mobile,
  network: PROMPT.network,
  amount: PROMPT.amount,
};

let prompts = 0;

/** Creates a payment request with a new reference. */
export function newPrompt(change: Partial<PromptRequest> = {}): PromptRequest {
  prompts += 1;
  return { ...PROMPT, reference: `REFERENCE${String(prompts).padStart(11, '0')}`, ...change };
}

/** Creates an answer of a provider. A body that is not a text is sent as JSON. */
export function answer(status: number, body: unknown, headers: RawAnswer['headers'] = {}): RawAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: new Uint8Array(Buffer.from(text)), lost: null, error: null };
}

/** Creates an account in the sandbox. */
export function accountOf(provider: string, credentials: object, change: Partial<ProviderAccount> = {}): ProviderAccount {
  const account = { id: 'account', environment: 'sandbox', provider, networks: [], callbackUrl: '' } as const;
  return { ...account, credentials: JSON.stringify(credentials), ...change };
}

export const clock: Clock = () => new Date();
export const random: Random = (count) => crypto.getRandomValues(new Uint8Array(count));
