import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { ACCEPTED, failed, type Matrix, SCENARIO_AMOUNT, simulation, UNKNOWN, usualScenarios } from '@/lib/providers/kit/scenarios';
import { AZAMPAY_CAPABILITIES, createAzampayAdapter } from './adapter';
import { AZAMPAY_FIELDS } from './credentials';

const DOCUMENTED = {
  confidence: 'certain',
  source: "AzamPay's OpenAPI document, and integrations in production",
  date: '2026-07',
} as const;
const TOLD = { confidence: 'likely', source: 'integration in production, told by AzamPay', date: '2026-07' } as const;
const SEEN = { confidence: 'likely', source: 'integrations in production', date: '2026-08' } as const;
const PAYOUTS = { confidence: 'likely', source: 'two integrations, told by AzamPay or tried at its test host', date: '2026-08' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary:
    'An aggregator of M-Pesa, Mixx by Yas, Airtel Money and HaloPesa. A payment is found by the id of AzamPay only, and callbacks are not signed: prefer another aggregator if you can choose.',
  account: [
    'Sign up in the sandbox portal of AzamPay and register an app. Submit the documents of the business there: the keys for live come after the verification.',
    'Copy the name of the app, its client id and its client secret, and the token from the settings page: it is the `apiKey`.',
    'Note when the secret expires. Create a new one before that.',
    'If refunds are to be sent as payouts, ask the support of AzamPay to enable disbursement, for the number of the account that pays, and for the RSA public key of the checksum. Put them into `payouts` of the credentials, and keep money in that account.',
  ],
  configure: [
    'The callback address belongs to the app. In the sandbox enter it when you register the app. For live send it to the support of AzamPay, and keep it secret: callbacks have no signature.',
    'Set `authUrl` and `checkoutUrl` for an account in the sandbox, and `payoutUrl` if it has payouts.',
    'For payouts, give AzamPay the addresses from which your workers call. Keep their clocks correct: each payout contains its time.',
  ],
  refunds:
    'as payouts from an account at AzamPay, with `payouts`: a whole payment or a part of it, tried only against the simulator; otherwise by hand',
  cryptography: { algorithm: 'RSA with PKCS #1 v1.5 for payouts, as the provider demands', key: "the provider's public key" },
  facts: [
    fact('A request is sent to `POST /azampay/mno/checkout` of the checkout host. Amounts are whole shillings up to 5,000,000.'),
    fact('A refused request has HTTP 200 and `success: false` with a message.'),
    fact('HTTP 423 for a token means wrong details or an expired secret.'),
    fact('Callbacks in production have no signature, and no user or password.', SEEN),
    fact(
      'The status of a collection is at `GET /azam/v1/gettransactionstatus` of the checkout host, with `pgReferenceId`, which is the `transactionId` of the answer, and `operator`. Our own reference finds nothing.',
      TOLD,
    ),
    fact('`success: false` in a status answer is not a failed payment: the same answer may say `pending`.', TOLD),
    fact('`/api/v1/partner/gettransactionstatus` is out of date for days. The status on the host of payouts knows payouts only.', TOLD),
    fact('`transactionId` has been missing, nested, differently cased, and the text "null".', SEEN),
    fact('The operators `airtel` and `azampesa` are known to work. The integration that uses `azampesa` serves M-Pesa with it.', SEEN),
    fact('A status answer has no amount. Bili books the requested amount.', TOLD),
    fact('The receipt in the ledger is `transactionId`, which callbacks call `transid`. `mnoreference` is the number of the wallet.', SEEN),
    fact('Collections cannot be reversed by a call. A payout sends money to any number.'),
    fact(
      'A payout is `POST /api/v1/azampay/disburse` of the host of payouts, with the type `FUND`. `externalReferenceId` has at most 30 characters, and a used one is refused with 403.',
      PAYOUTS,
    ),
    fact(
      'The checksum of a payout is the SHA-512 hash of both account numbers, currency, amount, time in seconds and reference, without separators, encrypted with RSA PKCS #1 v1.5 and written in base64.',
      PAYOUTS,
    ),
    fact('Payouts call the networks Vodacom, Yas, Airtel and Halotel.', PAYOUTS),
    fact(
      'An accepted payout is not paid. Its status is at `GET /api/v1/azampay/transactionstatus` of the host of payouts, with `pgReferenceId` and `bankName`.',
      PAYOUTS,
    ),
    fact('Callbacks about payouts are not signed. They have our reference in `initiatorReferenceId`.', PAYOUTS),
    fact('Payouts of Bili were tried only against its simulator.', { confidence: 'certain', source: 'tests of Bili', date: '2026-11' }),
    fact('Payments in the sandbox work reliably with AzamPesa numbers only.', SEEN),
  ],
  questions: [
    {
      question: 'What if the answer to a request is lost?',
      sources: 'No status query finds a payment by our reference. Callbacks have both, but no proof.',
      handling:
        'The request is not repeated. An unsigned callback that claims the payment opens a review with the id. A person looks for our reference in the dashboard of AzamPay. Without a callback, a review opens after 72 hours.',
    },
    {
      question: 'Is a used `externalId` refused?',
      sources: 'Documented for payouts only.',
      handling: 'Bili never sends a request again that may have arrived.',
    },
    {
      question: 'Are callbacks signed?',
      sources: 'A newer document describes an RSA signature. No delivery with one is known, and two addresses of the public key are named.',
      handling: 'Each callback only makes a status query due. A signature is not read.',
    },
    {
      question: 'Which operators does a status query accept, and what does it answer to another one?',
      sources: '`airtel` and `azampesa` are known to work. No source names the words for Yas and HaloPesa, or the answer to a wrong word.',
      handling:
        '`operators`: the words are tried in turn, and the one that found a paid payment is tried first the next time. A word may say that a payment failed because it is the wrong one. So a failure only counts if its cause is named (balance, PIN, cancelled), or if the word has found a payment of this network since the start of the worker. Until then the attempt is unknown. If AzamPay has told you the word, enter a list with only this word: it counts at once.',
    },
    {
      question: 'Which names have the networks in a request?',
      sources: 'The document lists Airtel, Tigo, Halopesa, Azampesa and Mpesa. An integration sends `azampesa` for M-Pesa in production.',
      handling: '`providerNames`: the names of the document by default.',
    },
    {
      question: 'Is the amount a number or text?',
      sources: 'The document says number. Production takes text.',
      handling: '`amountAs`: text by default.',
    },
    {
      question: 'Does the path of requests change?',
      sources: 'The sandbox describes `/api/v1/checkout/checkoutmno`.',
      handling: '`checkoutPath`.',
    },
    {
      question: 'What does the status `reversed` mean?',
      sources: 'Clients know the word. No document does.',
      handling:
        'Bili books a payment and its reversal, because the money came and went. If AzamPay names no amount, a review asks a person. Bili does not ask about a payment that is booked: a later reversal is only in the records of AzamPay.',
    },
    {
      question: 'What is the smallest payment?',
      sources: 'The document says 0.',
      handling: 'TZS 100. A refusal by AzamPay is shown to the customer.',
    },
    {
      question: 'What happened to a payout whose answer was lost?',
      sources: 'AzamPay finds a payout by its own id only. Callbacks have both references, but no proof.',
      handling: 'Bili never sends a payout twice. The refund stays unknown until a person settles it.',
    },
    {
      question: 'Which member of a status answer has the state of a payout?',
      sources:
        'One integration reads `status`, another one the text `data`. The document shows neither. `success` only says that the query worked.',
      handling:
        'Bili reads all of them. Only the words success, complete and completed mean paid, and only fail, failed and failure mean not paid. Two different words, another id, reference or amount decide nothing.',
    },
    {
      question: 'Has a payout a smallest or largest amount, and which fee?',
      sources: 'No source says it.',
      handling: 'TZS 100 to 10,000,000. A refused payout fails, and the payment can be refunded by hand.',
    },
    {
      question: 'Is the name of the payee compared with the owner of the number?',
      sources: 'The document requires a name. An integration sends the one that AzamPay returns for the number.',
      handling: '`payouts.payeeName`: "Customer" by default.',
    },
    {
      question: 'Which app gets tokens for payouts?',
      sources: 'An integration uses the app of its payments in live, and has settings for another one.',
      handling: '`payouts.app`: the app of payments by default.',
    },
    {
      question: 'Are callbacks repeated?',
      sources: 'No source says it.',
      handling: 'Bili does not rely on them: status queries find every payment whose answer was not lost.',
    },
  ],
};

const simulate = simulation('0754000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT, assumed: true } as const;

export const AZAMPAY_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid, unanswered: failed('user_timeout') }),
  // Without the answer to the request, the status of the payment cannot be queried.
  'paid, and the answer is lost': simulate('010', UNKNOWN, [], 1),
  'the request is lost': simulate('017', UNKNOWN, []),
  'a gateway error': simulate('018', UNKNOWN, []),
  'an answer that is not JSON': simulate('019', UNKNOWN, [], 1),
  'rejected before it is recorded': simulate('013', UNKNOWN, []),
  'paid, then reversed': simulate('020', ACCEPTED, [paid, { ...paid, kind: 'reversed' }], 1),
};

export const AZAMPAY: ProviderManifest = {
  name: 'azampay',
  label: 'AzamPay',
  createAdapter: createAzampayAdapter,
  capabilities: AZAMPAY_CAPABILITIES,
  fields: AZAMPAY_FIELDS,
  facts: FACTS,
  scenarios: { '': AZAMPAY_MATRIX },
  callback: {
    body: (ours, theirs = ours) => ({
      transactionstatus: 'success',
      utilityref: ours,
      transid: theirs,
      externalreference: theirs,
      initiatorReferenceId: ours,
      pgReferenceId: theirs,
    }),
    headers: () => ({}),
  },
  startSimulator: async (options) => (await import('./simulator')).startAzampaySimulator(options),
};
