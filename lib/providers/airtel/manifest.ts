import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { ACCEPTED, EXPIRED, type Matrix, SCENARIO_AMOUNT, simulation, usualScenarios } from '@/lib/providers/kit/scenarios';
import { AIRTEL_CAPABILITIES, AIRTEL_FIELDS, createAirtelAdapter } from './adapter';

const DOCUMENTED = { confidence: 'certain', source: 'the portal of the Open API, and independent clients', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'several independent clients', date: '2026-11' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary:
    'The API of Airtel Money Tanzania itself. Payments are found by our reference, and whole payments can be reversed. No callback is proof.',
  account: [
    'Register at the portal for Tanzania (developers.airtel.co.tz), and create an application with the product Collection-APIs.',
    'Airtel approves each change of an application by hand. Copy the client id and the client secret after the approval.',
    'If parts of payments are to be refunded as payouts, add the product Disbursement-APIs. Put the PIN of the wallet into `payoutPin` of the credentials, and the key for its encryption from the portal into `payoutKey`. Keep money in the wallet.',
    'Ask whether your application must sign its messages. If so, set `version` to "v2".',
  ],
  configure: [
    'Enter the callback address of the account in the settings of the application. An application has one address.',
    'Give Airtel the addresses of your workers. The live API usually admits only those.',
    'The test environment often sends no prompt, or only after somebody at Airtel has confirmed it. Ask Airtel before you search for an error.',
  ],
  refunds:
    'the whole payment; a part of it as a payout from the wallet of the merchant, with `payoutPin` and `payoutKey`, tried only against the simulator; otherwise by hand',
  cryptography: {
    algorithm: 'AES-256-CBC, RSA with PKCS #1 v1.5 from 1,024 bits, as the provider demands',
    key: "a new key for each message, the provider's public key",
  },
  facts: [
    fact('A token is valid for `expires_in` seconds: 180 in the documentation, about 3,600 at some clients.'),
    fact('A number has nine digits, without 255 and without 0. Otherwise the answer is "Msisdn Not Found".'),
    fact('The answer to a payment request means that the customer gets a prompt. It never means that money moved.'),
    fact('A second request with the same `transaction.id` is refused with ESB000041.'),
    fact('The first enquiry should come three minutes after the payment request. An earlier one may answer "not found".'),
    fact('The states of a payment are TS (paid), TF (failed), TE (expired), TIP (in progress) and TA (Airtel does not know yet).'),
    fact('No answer contains the amount of a payment. Bili books the requested one.'),
    fact('The receipt in the ledger is `airtel_money_id`. It is reliable only in the state TS.'),
    fact('A refund is for the whole payment.'),
    fact(
      'A payout (Airtel calls it a disbursement) needs the PIN of the wallet, encrypted with RSA PKCS#1 v1.5. Its states are those of a payment.',
      SEEN,
    ),
    fact('A second payout with the same `transaction.id` is refused with DP00900001017.', { ...SEEN, confidence: 'uncertain' }),
    fact('An enquiry about a payout takes our reference and `transactionType=B2C`.', SEEN),
    fact('A callback comes once or more, for TS and TF. None is promised for a prompt that the customer does not answer.'),
    fact('Message signing: the body encrypted with AES-256-CBC, and its key encrypted with RSA PKCS#1 v1.5. The plain body is sent, too.'),
    fact('The hosts for Tanzania are openapi.airtel.co.tz and openapiuat.airtel.co.tz.', SEEN),
    fact('The state TR means that a payment was reversed.', { ...SEEN, confidence: 'uncertain' }),
  ],
  questions: [
    {
      question: 'Which key and which text does the hash of a callback have?',
      sources:
        'Three keys are named: the private key of the application, the client secret, and a callback key. Two texts: the body without the hash, and the transaction alone.',
      handling: 'Bili does not read the hash. Each callback only triggers a status query.',
    },
    {
      question: 'Must an application in Tanzania sign its messages?',
      sources: 'Version 2 and some countries require it. Nobody says it for Tanzania.',
      handling: '`version`: "v1" by default, without signatures; "v2" with signatures.',
    },
    {
      question: 'Is the key of a signature encrypted with PKCS#1 v1.5 or with OAEP?',
      sources: 'The portal and two clients use PKCS#1 v1.5. One French text says OAEP.',
      handling: 'PKCS#1 v1.5.',
    },
    {
      question: 'Until when is an encryption key valid?',
      sources: '`valid_upto` has no time zone, and its order of day and month is not documented.',
      handling: 'Bili fetches the key again after ten minutes, and after a signature was refused.',
    },
    {
      question: 'What do the codes mean?',
      sources: 'The portal of another country gives some codes of collections other meanings.',
      handling:
        'The status letters decide whether money moved, and codes only give the reason of a failure. A payment request counts as refused only with a listed code. A code that stands for many failures also needs a text with a cause: otherwise an enquiry decides.',
    },
    {
      question: 'Until when may an enquiry not find a payment that Airtel has?',
      sources: 'The portal names the three minutes before the first enquiry.',
      handling:
        'After a lost answer, Bili sends the same request again only if an enquiry five minutes after it or later finds nothing, at most ten minutes after the attempt was created, and no callback has claimed the payment. If Airtel has the request after all, it refuses the second one with ESB000041.',
    },
    {
      question: 'What does a refund with the status SUCCESS and `success: false` mean?',
      sources: 'A sample of the portal.',
      handling: 'Bili waits until an enquiry says TR. Without that, a person decides after three days.',
    },
    {
      question: 'Which number is the receipt of a payout?',
      sources: 'A sample of the portal has a `reference_id` of digits, and an `airtel_money_id` that contains the `transaction.id`.',
      handling: 'Bili takes `reference_id`, and `airtel_money_id` if there is none.',
    },
    {
      question: 'Which answers refuse a payout for good?',
      sources: 'Clients agree about the codes DP00900001003 to DP00900001017. No sample of a refusal is published.',
      handling:
        'A listed code with HTTP 4xx and `success: false`, or the state TF with such a code. Everything else is unknown, also a payout that an enquiry does not find: a person decides after three days.',
    },
    {
      question: 'Which `airtel_money_id` has a payment that was reversed?',
      sources: 'The number is reliable only in the state TS. No sample of TR is published.',
      handling:
        "Bili takes it for the payment's own. If it is another one, the ledger shows a payment that nobody expects, and its reversal.",
    },
    {
      question: 'Which hosts are still in use?',
      sources: 'The older hosts for all countries, openapi.airtel.africa and openapiuat.airtel.africa, are to be switched off.',
      handling: '`baseUrl`: both pairs are accepted, and the host for Tanzania is the default.',
    },
    {
      question: 'What is in a statement?',
      sources: 'The format of the exports is not published.',
      handling: 'Bili reads statements in the canonical format: see `bili reconcile`.',
    },
    {
      question: 'What is the smallest payment?',
      sources: 'No page says it.',
      handling: 'TZS 100. A refusal by Airtel is shown to the customer.',
    },
  ],
};

const simulate = simulation('0684000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT, assumed: true } as const;

export const AIRTEL_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0684000', paid }),
  'the customer does not answer': simulate('005', ACCEPTED, [EXPIRED]),
  'paid after it expired': simulate('011', ACCEPTED, [EXPIRED, paid], 1),
};

export const AIRTEL: ProviderManifest = {
  name: 'airtel',
  label: 'Airtel Money',
  createAdapter: createAirtelAdapter,
  capabilities: AIRTEL_CAPABILITIES,
  fields: AIRTEL_FIELDS,
  facts: FACTS,
  scenarios: { '': AIRTEL_MATRIX },
  callback: {
    body: (ours) => ({
      transaction: { id: ours, message: 'Paid', status_code: 'TS', airtel_money_id: 'A1' },
      hash: Buffer.alloc(64, 1).toString('base64'),
    }),
    headers: () => ({}),
  },
  startSimulator: async (options) => (await import('./simulator')).startAirtelSimulator(options),
};
