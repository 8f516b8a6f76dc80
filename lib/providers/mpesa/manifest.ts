import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { type Matrix, SCENARIO_AMOUNT, simulation } from '@/lib/providers/kit/scenarios';
import { createMpesaAdapter, MPESA_CAPABILITIES, MPESA_FIELDS } from './adapter';

const DOCUMENTED = { confidence: 'certain', source: 'openapiportal.m-pesa.com, and independent clients', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'several independent clients', date: '2026-08' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary: "Vodacom's own M-Pesa OpenAPI for Tanzania, without an aggregator. It can reverse payments.",
  account: [
    'Register at openapiportal.m-pesa.com, and create an application for the market vodacomTZN.',
    'Copy the API key of the application, and the public key of the environment. Sandbox and live have different public keys.',
    'For live payments, link the application to the organisation and its shortcode, and have it reviewed.',
    'Ask Vodacom to enable reversals for the organisation if you want to refund payments through Bili.',
  ],
  configure: [
    'Enter the callback address of the account as response URL of the application, if it is asynchronous.',
    'Add the addresses of your workers to the trusted sources, and set `origin` to one of them.',
    'Set `mode` to the mode of the application, and `sessionMinutes` to the lifetime of sessions in the portal.',
  ],
  refunds: 'the whole payment or a part of it',
  cryptography: { algorithm: 'RSA with PKCS #1 v1.5, as the provider demands', key: "the provider's public key" },
  facts: [
    fact('The API key is encrypted with the public key to open a session, and each call with the session id.'),
    fact('A new session may be usable only after 30 s.'),
    fact('`INS-0` without a transaction id means that the request was accepted, and not that it was paid.'),
    fact('In synchronous mode, a call lasts until the customer has entered the PIN, up to three minutes.'),
    fact('Neither answers nor callbacks contain the amount: the requested amount counts.'),
    fact('Callbacks are not signed. A status query confirms each.'),
    fact('A used conversation id is refused with `INS-10`.'),
    fact('`INS-6` with HTTP 401 is a failed payment, and not a wrong session.'),
    fact('A status query may be about our conversation id of up to 32 letters and digits.'),
    fact('An insufficient balance is sometimes reported as `INS-1`, an internal error: a status query decides.', SEEN),
  ],
  questions: [
    {
      question: 'Does `INS-23` mean that a payment does not exist?',
      sources: 'It is called both "transaction not found" and "status unknown".',
      handling: 'Bili never sends a request again because of it. The attempt stays unknown until a status query finds the payment.',
    },
    {
      question: 'How long does a session last?',
      sources: 'The portal sets it for each application. An hour is usual in the sandbox.',
      handling: 'The member `sessionMinutes` of the credentials. Bili renews a session early.',
    },
    {
      question: 'Which method has a reversal?',
      sources: 'The portal says PUT. One project uses POST.',
      handling: 'PUT.',
    },
  ],
};

const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;
const reversed = { kind: 'reversed', amount: SCENARIO_AMOUNT } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const rejected = { kind: 'failed', reason: 'rejected' } as const;
const insufficient = { kind: 'failed', reason: 'insufficient_funds' } as const;
const cancelled = { kind: 'failed', reason: 'user_cancelled' } as const;
const expired = { kind: 'expired' } as const;

const simulate = simulation('0754000');

/** Scenarios with the same result in asynchronous and synchronous mode. */
const COMMON = {
  'partly paid': 'M-Pesa moves the whole requested amount or nothing',
  'limit exceeded': simulate('015', { kind: 'failed', reason: 'limit_exceeded' }, []),
  'number not registered': simulate('006', { kind: 'failed', reason: 'mobile_not_registered' }, []),
  'the request is lost': simulate('017', unknown, [{ kind: 'not_found' }]),
  'a gateway error': simulate('018', unknown, [{ kind: 'not_found' }]),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [{ kind: 'not_found' }]),
} satisfies Partial<Matrix>;

// A status query reports a failure without its reason. Only synchronous answers contain reasons.
export const MPESA_ASYNC_MATRIX: Matrix = {
  ...COMMON,
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  cancelled: simulate('002', accepted, [cancelled], 1),
  'wrong PIN': simulate('003', accepted, [rejected], 1),
  'insufficient balance': simulate('004', accepted, [rejected], 1),
  'insufficient balance, reported as an internal error': simulate('014', accepted, [rejected], 1),
  'the customer does not answer': simulate('005', accepted, [expired], 1),
  'paid after it expired': simulate('011', accepted, [expired, paid], 2),
  'paid after nearly three minutes': simulate('021', accepted, [paid], 1),
  'paid, and the answer is lost': simulate('010', unknown, [paid], 1),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  'not found by the first status queries, then paid': simulate('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': simulate('020', accepted, [paid, reversed], 1),
};

const noCallback = 'synchronous mode has no callbacks';
export const MPESA_SYNC_MATRIX: Matrix = {
  ...COMMON,
  paid: simulate('001', paid, [paid]),
  'paid, and no callback comes': noCallback,
  'paid, and the callback comes before the answer': noCallback,
  'paid, and the callback comes twice': noCallback,
  cancelled: simulate('002', rejected, [cancelled]),
  'wrong PIN': simulate('003', rejected, [rejected]),
  'insufficient balance': simulate('004', insufficient, [rejected]),
  'insufficient balance, reported as an internal error': simulate('014', unknown, [rejected]),
  'the customer does not answer': simulate('005', unknown, [expired]),
  'paid after it expired': simulate('011', unknown, [expired, paid]),
  'paid after nearly three minutes': simulate('021', paid, [paid]),
  'paid, and the answer is lost': simulate('010', unknown, [paid]),
  'an answer that is not JSON': simulate('019', unknown, [paid]),
  'not found by the first status queries, then paid': simulate('016', paid, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': simulate('020', paid, [paid, reversed]),
};

export const MPESA: ProviderManifest = {
  name: 'mpesa',
  label: 'M-Pesa',
  createAdapter: createMpesaAdapter,
  capabilities: MPESA_CAPABILITIES,
  fields: MPESA_FIELDS,
  facts: FACTS,
  scenarios: { asynchronous: MPESA_ASYNC_MATRIX, synchronous: MPESA_SYNC_MATRIX },
  callback: {
    body: (ours, theirs = ours) => ({
      input_OriginalConversationID: theirs,
      input_ResultCode: 'INS-0',
      input_ThirdPartyConversationID: ours,
    }),
    headers: () => ({}),
  },
  startSimulator: null,
};
