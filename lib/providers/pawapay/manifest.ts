import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { ACCEPTED, failed, type Matrix, SCENARIO_AMOUNT, simulation, usualScenarios } from '@/lib/providers/kit/scenarios';
import { createPawapayAdapter, PAWAPAY_CAPABILITIES, PAWAPAY_FIELDS } from './adapter';
import { idOf } from './wire';

const DOCUMENTED = { confidence: 'certain', source: 'docs.pawapay.io, version 2, with its OpenAPI document', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'several independent clients', date: '2026-11' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary:
    'An aggregator of mobile money in many African countries. In Tanzania it reaches M-Pesa, Mixx by Yas, Airtel Money and HaloPesa, and it can refund payments. Anybody can register for its sandbox.',
  account: [
    'Register at dashboard.sandbox.pawapay.io for the sandbox. For live payments, complete the verification of the business.',
    'Create an API token in the dashboard. Live and sandbox have one each.',
    'To have callbacks verified, switch on signed callbacks, and read the public key with `GET /v2/public-key/http`.',
  ],
  configure: [
    'Enter the callback address of the account for deposits. pawaPay has one such address for all deposits of an account.',
    'Do not switch on signed requests: Bili does not sign its requests.',
  ],
  refunds: 'the whole payment or a part of it',
  cryptography: { algorithm: 'verifies ECDSA P-256, and SHA-256 or SHA-512 of the body', key: "the provider's public key" },
  facts: [
    fact('The client chooses the id of a deposit, a UUID of version 4. Bili derives it from its own reference.'),
    fact('A repeated id is answered with `DUPLICATE_IGNORED`, and does nothing else.'),
    fact('A status answer has two states: the outer one says whether the deposit was found, the inner one what happened to it.'),
    fact('`COMPLETED` and `FAILED` are final. `IN_RECONCILIATION` means that pawaPay asks the wallet.'),
    fact('A refund moves the whole payment or a part of it. It has an id and states of its own, and the deposit stays `COMPLETED`.'),
    fact(
      'Every message names the id of the deposit, so it is the receipt number in Bili. The number that the wallet sends to the customer is another one: do not settle an attempt with it.',
    ),
    fact('A deposit has one refund at a time.'),
    fact('Signed callbacks follow RFC 9421 with a key on the curve P-256.'),
    fact('Callbacks are repeated until they are answered with 200, for 15 minutes.'),
    fact('The signature of a callback has the DER form, and the label `sig-pp`.', SEEN),
  ],
  questions: [
    {
      question: 'Which form has the signature of a callback?',
      sources: 'RFC 9421 asks for 64 bytes. The samples have the DER form.',
      handling: 'Both are accepted. A callback whose signature does not fit is confirmed by a status query.',
    },
    {
      question: 'How soon does a status query find a new deposit?',
      sources: 'No page says it.',
      handling: 'A deposit that is not found a minute after a lost answer has not arrived.',
    },
    {
      question: 'How many requests a minute are allowed?',
      sources: 'No page says it.',
      handling: 'The setting `callsPerMinute`, 600 by default. A request that is refused with 429 is repeated.',
    },
    {
      question: 'Which amounts are allowed?',
      sources: 'They depend on the wallet and the account, and may have decimals for Airtel Money.',
      handling: 'Bili sends whole shillings. A refusal by pawaPay is shown to the customer.',
    },
  ],
};

const simulate = simulation('0754000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;

export const PAWAPAY_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid, unanswered: failed('user_cancelled') }),
  // pawaPay reports the same code for every prompt that the customer did not approve, whatever the reason.
  'wrong PIN': simulate('003', ACCEPTED, [failed('user_cancelled')], 1),
  'limit exceeded': simulate('015', failed('amount_invalid'), []),
  'paid, then reversed': 'A refund has a status of its own, and the deposit stays completed',
};

const BASE64 = Buffer.alloc(64, 1).toString('base64');

export const PAWAPAY: ProviderManifest = {
  name: 'pawapay',
  label: 'pawaPay',
  createAdapter: createPawapayAdapter,
  capabilities: PAWAPAY_CAPABILITIES,
  fields: PAWAPAY_FIELDS,
  facts: FACTS,
  scenarios: { '': PAWAPAY_MATRIX },
  callback: {
    body: (ours, theirs = idOf(ours)) => ({
      depositId: theirs,
      status: 'COMPLETED',
      amount: '5000',
      currency: 'TZS',
      clientReferenceId: ours,
      failureReason: { failureCode: 'OTHER_ERROR', failureMessage: 'Other' },
    }),
    headers: (now) => ({
      'signature-input': `sig-pp=("@method" "@authority" "@path" "content-digest");alg="ecdsa-p256-sha256";created=${Math.floor(now.getTime() / SECOND_MS)}`,
      signature: `sig-pp=:${BASE64}:`,
      'content-digest': `sha-512=:${BASE64}:`,
    }),
  },
  startSimulator: async (options) => (await import('./simulator')).startPawapaySimulator(options),
};
