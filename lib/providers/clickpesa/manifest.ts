import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { failed, type Matrix, SCENARIO_AMOUNT, usualScenarios } from '@/lib/providers/kit/scenarios';
import { CLICKPESA_CAPABILITIES, CLICKPESA_FIELDS, createClickpesaAdapter } from './adapter';

const DOCUMENTED = { confidence: 'certain', source: 'docs.clickpesa.com, and independent clients', date: '2026-11' } as const;
const PAYOUT_API = {
  confidence: 'certain',
  source: 'docs.clickpesa.com (disbursement, payout statuses), and clients',
  date: '2026-11',
} as const;
const BILLPAY = { confidence: 'likely', source: 'docs.clickpesa.com (BillPay)', date: '2026-11' } as const;
const BILI = { confidence: 'certain', source: 'tests of Bili', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'several independent clients', date: '2026-08' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary:
    'An aggregator of M-Pesa, Mixx by Yas, Airtel Money and HaloPesa. Payments are found by our reference, and callbacks are signed.',
  account: [
    'Register the business at clickpesa.com and complete its verification. Before it, an application may make 100 calls a day.',
    'Create an application of the type API. Copy its client id, and its API key, which is shown once.',
    'Switch on the checksum of the application, and copy the checksum key.',
    "If customers are to pay control numbers, ask ClickPesa to enable the BillPay API for the application. Put the four digits of the merchant's BillPay-Namba into `billPayNumber` of the credentials. To let customers pay a number in several parts, also set `billPayEmail`.",
    'If refunds are to be sent as payouts, ask ClickPesa to enable the Payout API for the application, and set `payouts` of the credentials to `true`. Let the merchant bear the fee of payouts: otherwise customers get less.',
  ],
  configure: [
    'Enter the callback address of the account for the events "Payment received" and "Payment failed" of the application. With payouts, also for "Payout initiated", "Payout refunded" and "Payout reversed".',
    'If you restrict the addresses that may call the API, add the addresses of your workers.',
  ],
  refunds:
    'as payouts from the balance of the account, with `payouts: true`: a whole payment or a part of it, tried only against the simulator; otherwise by hand',
  cryptography: { algorithm: 'HMAC-SHA-256', key: 'from the provider, for each account' },
  facts: [
    fact(
      'A checksum is hexadecimal HMAC-SHA256 over the JSON with sorted keys, without `checksum` and `checksumMethod`. Webhooks have the same.',
    ),
    fact('A token is valid for an hour, and already begins with "Bearer". A change of the checksum settings ends it.'),
    fact('A used `orderReference` is refused with 409.'),
    fact('A status query right after a request may answer 404.'),
    fact('`SUCCESS` and `SETTLED` mean paid. `REFUNDED` and `REVERSED` may follow. Collections cannot be reversed by a call.'),
    fact(
      'A payout is `POST /payouts/create-mobile-money-payout`, with `orderReference` and the amount as a number. The network is found from the number. The fee comes on top, or is taken from the amount, as the application says.',
      PAYOUT_API,
    ),
    fact('A payout is found by our reference: `GET /payouts/{orderReference}`.', PAYOUT_API),
    fact(
      '`AUTHORIZED`, `PROCESSING` and `PENDING` mean that a payout is in progress, and `SUCCESS` that it was made. After `FAILED`, `REFUNDED` (an error of ClickPesa) or `REVERSED` (an error of the network), the money is back in the account.',
      PAYOUT_API,
    ),
    fact('Events about payouts have the same checksum as those about payments. Bili asks for the status after each.', PAYOUT_API),
    fact('Payouts of Bili were tried only against its simulator.', BILI),
    fact(
      'A control number is created by `POST /billpay/create-order-control-number` or `/billpay/create-customer-control-number`. A `billReference` of the merchant becomes the number itself. Bili chooses it: the four digits of the merchant, and ten that follow from our reference. So a status query can ask for it after a lost answer, and `billDescription` shows whose it is.',
      BILLPAY,
    ),
    fact(
      'An order control number takes one payment, and does not expire. Bili asks for `EXACT`: wallets refuse another amount. A customer control number takes any number of payments of any amount. It belongs to a customer with a name and an e-mail address.',
      BILLPAY,
    ),
    fact(
      'Customers pay by M-Pesa, Mixx by Yas, Airtel Money, HaloPesa and CRDB. Besides the control number, they type a business number of ClickPesa: 889999 in Mixx by Yas, 47 in Airtel Money. ClickPesa tells the merchant the one for M-Pesa.',
      BILLPAY,
    ),
    fact(
      '`PATCH /billpay/{number}` changes the amount (`billAmount`) and closes the number (`billStatus` `INACTIVE`). Bili closes an order control number if the bill has another remaining amount, is paid or is closed, and changes the amount of a customer control number.',
      BILLPAY,
    ),
    fact('Control numbers of Bili were tried only against its simulator.', BILI),
    fact('120 requests a minute for each address of the caller.'),
    fact('The receipt in the ledger is `id`. The number of the wallet may be missing until the payment has succeeded.'),
    fact('`orderReference` may have 20 letters and digits.', SEEN),
    fact('The sandbox is at api-sandbox.clickpesa.com.', SEEN),
  ],
  questions: [
    {
      question: 'Is the checksum of a webhook in its body or in a header?',
      sources: 'The documentation puts it into the body. Two SDKs read the headers `x-clickpesa-checksum` or `X-ClickPesa-Signature`.',
      handling: 'The body counts, then the headers. Without a valid checksum, a status query confirms the payment.',
    },
    {
      question: 'Which scheme does the checksum have?',
      sources: 'The documentation of March 2025 describes another one.',
      handling: '`checksumScheme`: "canonical" by default, or "legacy".',
    },
    {
      question: 'Can a statement be read by a call?',
      sources: '`GET /account/statement` is described. Its amounts have no documented sign.',
      handling: 'Bili reads statements in the canonical format: see `bili reconcile`.',
    },
    {
      question: 'Which hosts are sandboxes?',
      sources: 'Four code bases use api-sandbox.clickpesa.com. Other names are seen.',
      handling:
        'An account in the sandbox may use any host of clickpesa.com except api.clickpesa.com. An account in live may use only that one.',
    },
    {
      question: 'Can a payout be reversed after `SUCCESS`?',
      sources: 'A page says that `SUCCESS` means "initiated successfully". All clients take it as the end.',
      handling:
        'A refund is done if a status query reports `SUCCESS`. Bili does not ask again: the event of a later reversal is only in the messages of the account, and the money is back in the balance.',
    },
    {
      question: 'Is a used `orderReference` of a payout refused?',
      sources: 'The pages about payouts call it unique, and name no code.',
      handling: 'Bili never sends a payout again that may have arrived. After 409, a status query decides.',
    },
    {
      question: 'Has a payout a smallest or largest amount?',
      sources: 'No page says it.',
      handling: 'TZS 100 to 10,000,000. A refused payout fails, and the payment can be refunded by hand.',
    },
    {
      question: 'Which member of a webhook contains the control number?',
      sources: 'The documentation says that a webhook contains "the full BillPay number", and shows no sample.',
      handling:
        'Bili reads `billPayNumber`, `controlNumber` and `orderReference` of `data`. If none of them is a number that Bili knows, the payment is unmatched money, which a person assigns to the bill.',
    },
    {
      question: 'How is a payment with a control number queried?',
      sources: 'The documentation says: by the order reference of the payment. It does not say that this is the control number.',
      handling:
        'Bili asks for `GET /payments/{number}`. 404 means that nothing was paid so far. If ClickPesa knows payments by another reference, only webhooks report them: configure the callback address.',
    },
    {
      question: 'Does an order control number with partial payment stay open after a part?',
      sources:
        'The reference has the mode `ALLOW_PARTIAL_AND_OVER_PAYMENT`. The questions and answers say that the number is closed after any payment.',
      handling: 'Bili takes order control numbers for whole amounts, and customer control numbers for parts.',
    },
    {
      question: 'Does an answer show whether a control number is closed?',
      sources: 'Only the answer to a change has `billStatus`.',
      handling: 'Bili trusts the answer to its own change. A payment that comes all the same is booked.',
    },
    {
      question: 'What happens if a `billReference` is used twice?',
      sources: 'A client says that it must be unique. No page names a code.',
      handling: 'The request is not repeated. A status query shows whether the number is ours.',
    },
    {
      question: 'Can 50 control numbers be created with one call?',
      sources: '`/billpay/bulk-create-order-control-numbers` takes up to 50, and reports errors for each.',
      handling: 'Bili creates each number when somebody asks for it, with one call. The limit is 120 calls a minute.',
    },
    {
      question: 'What is the smallest payment?',
      sources: 'No page says it.',
      handling: 'TZS 100. A refusal by ClickPesa is shown to the customer.',
    },
  ],
};

const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;

export const CLICKPESA_MATRIX: Matrix = usualScenarios({ prefix: '0754000', paid, unanswered: failed('user_timeout') });

export const CLICKPESA: ProviderManifest = {
  name: 'clickpesa',
  label: 'ClickPesa',
  createAdapter: createClickpesaAdapter,
  capabilities: CLICKPESA_CAPABILITIES,
  fields: CLICKPESA_FIELDS,
  facts: FACTS,
  scenarios: { '': CLICKPESA_MATRIX },
  callback: {
    body: (ours, theirs = ours) => ({
      event: 'PAYMENT RECEIVED',
      eventType: 'PAYMENT RECEIVED',
      data: {
        id: theirs,
        status: 'SUCCESS',
        orderReference: ours,
        billPayNumber: ours,
        controlNumber: ours,
        collectedAmount: '5000',
        collectedCurrency: 'TZS',
        message: 'Received',
        clientId: 'IDsimulated',
      },
      checksum: 'ab'.repeat(32),
    }),
    headers: () => ({ 'x-clickpesa-checksum': 'ab'.repeat(32), 'x-clickpesa-signature': 'ab'.repeat(32) }),
  },
  startSimulator: async (options) => (await import('./simulator')).startClickpesaSimulator(options),
};
