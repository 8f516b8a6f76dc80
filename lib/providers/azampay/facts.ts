import type { Fact, ProviderFacts } from '@/lib/providers/port/facts';

const DOCUMENTED = {
  confidence: 'certain',
  source: "AzamPay's OpenAPI document, and integrations in production",
  date: '2026-07',
} as const;
const TOLD = { confidence: 'likely', source: 'integration in production, told by AzamPay', date: '2026-07' } as const;
const SEEN = { confidence: 'likely', source: 'integrations in production', date: '2026-08' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

export const AZAMPAY_FACTS: ProviderFacts = {
  name: 'azampay',
  title: 'AzamPay',
  summary:
    'An aggregator of M-Pesa, Mixx by Yas, Airtel Money and HaloPesa. A payment is found by the id of AzamPay only, and callbacks are not signed: prefer another aggregator if you can choose.',
  account: [
    'Sign up in the sandbox portal of AzamPay and register an app. Submit the documents of the business there: the keys for live come after the verification.',
    'Copy the name of the app, its client id and its client secret, and the token from the settings page: it is the `apiKey`.',
    'Note when the secret expires. Create a new one before that.',
  ],
  configure: [
    'The callback address belongs to the app. In the sandbox enter it when you register the app. For live send it to the support of AzamPay, and keep it secret: callbacks have no signature.',
    'Set `authUrl` and `checkoutUrl` for an account in the sandbox.',
  ],
  refunds: 'no: AzamPay has no such call',
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
    fact('Collections cannot be reversed by a call.'),
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
      question: 'Are callbacks repeated?',
      sources: 'No source says it.',
      handling: 'Bili does not rely on them: status queries find every payment whose answer was not lost.',
    },
  ],
};
