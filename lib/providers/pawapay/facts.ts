import type { Fact, ProviderFacts } from '@/lib/providers/port/facts';

const DOCUMENTED = { confidence: 'certain', source: 'docs.pawapay.io, version 2, with its OpenAPI document', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'several independent clients', date: '2026-11' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

export const PAWAPAY_FACTS: ProviderFacts = {
  name: 'pawapay',
  title: 'pawaPay',
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
