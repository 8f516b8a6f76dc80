import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { type Matrix, SCENARIO_AMOUNT, usualScenarios } from '@/lib/providers/kit/scenarios';
import { createMixxAdapter, MIXX_CAPABILITIES, MIXX_FIELDS } from './adapter';

const SEEN = { confidence: 'likely', source: 'several independent integrations of the document of Yas', date: '2026-11' } as const;
const ONE = { confidence: 'uncertain', source: 'one or two public integrations', date: '2026-11' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = SEEN): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary:
    'The wallet of Yas, formerly Tigo Pesa, without an aggregator. Each merchant gets addresses of its own, usually behind a VPN or a list of allowed addresses.',
  account: [
    'Ask Yas for push bill pay. It gives you a user name, a password, a biller number, a biller code, and addresses for tokens and prompts.',
    'Ask for the status query (TQS) with its address and PIN as well: callbacks prove nothing, so Bili books a payment only after a status query.',
    'If you want to refund payments through Bili, ask for the refund address, its channel number and PIN.',
    'Ask whether the servers use a public certificate authority. If they do not, ask for their certificates.',
  ],
  configure: [
    'Give Yas the callback address of the account, and the addresses of your workers.',
    '`bili provider test` asks for the status of an unknown payment. That checks the status query, but not the user name and the password: make a small payment as well.',
    'Set `callbackReply` to "request_to_pay" if the document of Yas asks for a reply with `success` and `responseCode`.',
  ],
  refunds: 'the whole payment, if the account has a `refundUrl`',
  cryptography: { algorithm: 'none of our own: TLS and tokens', key: 'from the provider' },
  facts: [
    fact('A reference begins with the biller code. A used one is refused with `DuplicateRefID`.'),
    fact('`BILLER-18-0000-S` as answer to a prompt means only that the customer is asked.'),
    fact('Callbacks are not signed. Only their address of origin protects them.'),
    fact('`BILLER-18-3023-E` and `BILLER-18-9999-F` leave open whether the customer is asked.'),
    fact('A payment is made if the status query answers `RESULTCODE` 0, `TXNSTATUS` "Posted" and the requested amount.'),
    fact('A refund returns a whole payment.', ONE),
    fact('`TXNSTATUS` "Reversed" means that the payment was reversed, and "Failed", "Cancelled" or "Rejected" that it was not made.', ONE),
    fact('The status query needs no token.', ONE),
  ],
  questions: [
    {
      question: 'Is `MFSTransactionID` of a callback the same number as `TXNID` of the status query?',
      sources: 'No document says it.',
      handling:
        'Payments are booked with `TXNID` only, so that a payment never has two receipts. Refunds send it as `MFSTransactionID`, together with the reference of the prompt.',
    },
    {
      question: 'Which code of the status query means that there is no such payment?',
      sources: 'Codes such as `GetSOError001` are mentioned without their meaning.',
      handling: 'A code counts as "not found" if its text says so. Even then Bili does not send the prompt again.',
    },
    {
      question: 'How long is a token valid?',
      sources: 'Tokens name their lifetime. One integration asks for a new one before each prompt.',
      handling: 'The lifetime that the token names. A token that is refused is replaced.',
    },
    {
      question: 'How does Yas refuse an old token?',
      sources: 'No document says it.',
      handling: 'HTTP 401 without a code of Yas counts as not processed, and Bili sends the same request with a new token.',
    },
    {
      question: 'Which reply do callbacks need?',
      sources: 'Two forms are documented.',
      handling: 'The setting `callbackReply`: "classic" or "request_to_pay".',
    },
  ],
};

const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;

export const MIXX_MATRIX: Matrix = usualScenarios({ prefix: '0714000', paid });

export const MIXX: ProviderManifest = {
  name: 'mixx',
  label: 'Mixx by Yas',
  createAdapter: createMixxAdapter,
  capabilities: MIXX_CAPABILITIES,
  fields: MIXX_FIELDS,
  facts: FACTS,
  scenarios: { '': MIXX_MATRIX },
  callback: {
    body: (ours) => ({ Status: true, Description: 'Paid', MFSTransactionID: 'MP1', ReferenceID: `BILI${ours}`, Amount: '5000' }),
    headers: () => ({}),
  },
  startSimulator: async (options) => (await import('./simulator')).startMixxSimulator(options),
};
