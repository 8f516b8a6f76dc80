import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { ACCEPTED, failed, type Matrix, SCENARIO_AMOUNT, simulation, UNKNOWN, usualScenarios } from '@/lib/providers/kit/scenarios';
import { createSelcomAdapter, SELCOM_CAPABILITIES, SELCOM_FIELDS } from './adapter';

const DOCUMENTED = { confidence: 'certain', source: 'developers.selcommobile.com, and independent clients', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'answers of the live system in public integrations', date: '2026-08' } as const;
const BILI = { confidence: 'certain', source: 'tests of Bili', date: '2026-11' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary: 'An aggregator of M-Pesa, Mixx by Yas, Airtel Money, HaloPesa and T-Pesa. Payments are found by our reference.',
  account: [
    'Ask Selcom for an account with the product Checkout. Selcom sends the vendor id, the API key and the API secret.',
    'Ask Selcom to enable the operations create-order-minimal, wallet-payment and order-status. Each is enabled separately.',
    'If customers are to pay without a prompt, put a mobile number of the merchant into `buyerPhone` of the credentials, and ask Selcom to enable cancel-order.',
    'If refunds are to be sent as payouts, ask Selcom to enable walletcashin, and for a float account with a PIN. Put the PIN into `payoutPin` of the credentials, and keep money in the float account.',
  ],
  configure: [
    'Give Selcom the addresses from which your workers call. It refuses all other addresses, whatever their signature.',
    'Keep the clocks of your workers correct: each request contains its time, and Selcom refuses a wrong one.',
    'Nothing for callbacks: each order contains the callback address. It must be a public https address.',
  ],
  refunds:
    'as payouts from the float account, with `payoutPin`: a whole payment or a part of it, at least TZS 1,000, tried only against the simulator; otherwise by hand',
  cryptography: { algorithm: 'HMAC-SHA-256', key: 'from the provider, for each account' },
  facts: [
    fact(
      'A request is signed with Base64 of HMAC-SHA256 over `timestamp=…&field=value…`, in the order of the header `Signed-Fields`. The official clients contain a sample, which is a test of Bili.',
    ),
    fact(
      'A prompt needs two calls. `create-order-minimal` creates an order and reaches no customer. `wallet-payment` sends the prompt for an order.',
    ),
    fact(
      '`111` and `927` mean in progress: query after three minutes, then every three minutes. `999` is ambiguous: never repeat the request.',
    ),
    fact('The result code of a status answer is only about the search. The order has a `payment_status` of its own.'),
    fact('Callbacks come for successful payments only. A cancelled prompt is found by a status query.'),
    fact(
      'There is no operation that reverses a payment. `walletcashin` pays out of a float account to the wallet of a number. It is enabled separately and needs the PIN of the float account. The money of payments is not in the float account.',
    ),
    fact(
      'The utility code `CASHIN` pays to any wallet: Selcom looks up the network of the number. Each network also has a code of its own.',
    ),
    fact('A `transid` cannot be used twice. A status query of a payout takes it.'),
    fact('A payout of less than TZS 1,000 net is refused with 013, and one that the float account cannot pay with 990.', SEEN),
    fact('A status query of a payout answers 999 for a `transid` that Selcom does not know, as for a payout without a result.', SEEN),
    fact('Payouts of Bili were tried only against its simulator.', BILI),
    fact(
      'The answer to `create-order-minimal` contains `payment_token`, a number that customers type into the menu of a wallet, `qr`, the text of a TANQR code, and `payment_gateway_url`, the address of a page for cards and wallets. The address is in Base64, and sometimes as it is.',
      { ...DOCUMENTED, confidence: 'likely' },
    ),
    fact(
      'An instrument is an order of its own, without `wallet-payment`: the order of a prompt could be paid by the prompt and by its number. Bili creates the order when somebody asks for it, with our reference as `order_id`, for one day. The status query of the order finds the payment, as for a prompt.',
      BILI,
    ),
    fact(
      'If the remaining amount of the bill changes, or the bill is paid or closed, Bili cancels the order with `cancel-order`. Orders that are paid or have expired cannot be cancelled.',
    ),
    fact('Instruments of Bili were tried only against its simulator.', BILI),
    fact('The receipt in the ledger is `reference`. `transid` has different meanings in different operations.'),
    fact('`no_of_items` is required. A missing parameter is HTTP 412 with the code 412.', SEEN),
    fact('An operation that is not enabled is HTTP 403 with the code 403 and a message with 4035.', SEEN),
    fact('A status query for an unknown order is HTTP 200 with the code 404.', SEEN),
    fact('Real callbacks had no signature.', SEEN),
    fact('The test system is at apigwtest.selcommobile.com.', { confidence: 'likely', source: 'public integrations', date: '2026-08' }),
  ],
  questions: [
    {
      question: 'Are callbacks signed?',
      sources: 'The documentation shows signature headers, with a list of signed fields without the amount. Five real deliveries had none.',
      handling:
        'A callback counts by itself only if a valid digest covers order, receipt number, status and amount, if its timestamp has the form of a request and is at most a day old, and if no signed value contains "&" or "=". A status query confirms all others.',
    },
    {
      question: 'How does Selcom refuse a second order with the same id, and a second prompt for one order?',
      sources: 'No page shows either answer.',
      handling:
        'Bili never asks for a second prompt of an order that may have one. If only the answer about the order was lost, it continues with that order. A refusal that says "duplicate", "unique", "already", "used", "taken" or "exists", or has the code 409, is followed by a status query. After a lost answer about a prompt, so is every refusal of the order.',
    },
    {
      question: 'How long can a customer answer a prompt?',
      sources: 'No page says it.',
      handling: 'The attempt becomes unknown after five minutes, and status queries go on. `orderMinutes` limits the order.',
    },
    {
      question: 'Which state has an order after its time, or after a wrong PIN?',
      sources:
        'The states are PENDING, INPROGRESS, COMPLETED, CANCELLED, USERCANCELLED and REJECTED, without a reason. A sample of a list prints CANCEL.',
      handling: 'CANCELLED and REJECTED are failures without a reason. After any other word, status queries go on.',
    },
    {
      question: 'Does an order show whether a prompt was sent for it?',
      sources: 'No page says whether PENDING changes to INPROGRESS with the prompt.',
      handling:
        'If a worker dies between the two calls, the order may have no prompt. The attempt stays unknown until Selcom ends the order. A person can release it before.',
    },
    {
      question: 'Which failures can a status query of a payout report?',
      sources: 'The documentation shows only a success. Codes other than 000, 111, 927 and 999 mean failure.',
      handling:
        'A failure counts only if it can be about the payout. Codes that begin with 4, texts that say "not found", and refusals of the vendor are about the query: the refund stays unknown.',
    },
    {
      question: 'Has the float account another vendor id?',
      sources: 'The documentation calls `vendor` the identifier of the float account. One integration uses the id of its payments.',
      handling: 'Payouts use `vendor`. If Selcom gives another id, leave `payoutPin` out and refund by hand.',
    },
    {
      question: 'Which wallets accept prompts?',
      sources: 'The documentation of the operators lists five, and notes of an SDK limit prompts to some of them.',
      handling: 'Choose the networks with `bili provider add selcom --networks`. By default an account serves all five.',
    },
    {
      question: 'Can a request be signed with RS256?',
      sources: 'The documentation names it. All clients use HS256.',
      handling: 'Bili uses HS256.',
    },
    {
      question: 'Which e-mail address and name has the buyer?',
      sources: 'Both are required, and a USSD payment has neither.',
      handling: 'Neutral values of the account: `buyerEmail`, `buyerName`.',
    },
    {
      question: 'Which number has the buyer of an order that is paid without a prompt?',
      sources:
        '`buyer_phone` is required. No source says what Selcom does with it, for example whether it sends a text message, or whether only this number can pay.',
      handling: 'The number of the account in `buyerPhone`. Without it, Bili offers no instruments of Selcom.',
    },
    {
      question: 'How long can an order be paid by its number, code or page?',
      sources: '`expiry` is in minutes, without a longest value. No source says when the number alone ends.',
      handling:
        'Bili asks for 1,440 minutes and shows the instrument for ten minutes less. If a status query says earlier that the order has ended, it is shown no longer.',
    },
    {
      question: 'Can an order still be paid after a customer has declined the payment or typed a wrong PIN?',
      sources: 'No source says whether USERCANCELLED and REJECTED are final for an order that has a number.',
      handling:
        'The instrument has ended, and the customer can ask for another one. A payment that comes later is booked if Selcom calls back.',
    },
    {
      question: 'Which menu of each wallet takes the number?',
      sources: 'Selcom names no menus, and whether all five wallets accept the number is not documented.',
      handling: 'The number is offered to the customers of all five.',
    },
    {
      question: 'What does a status query show if an order was paid twice?',
      sources: 'No page says it. A paid order should take no second payment.',
      handling:
        'Each paid order in the answer is booked as a payment, by its receipt number. The simulator shows one entry for each payment.',
    },
    {
      question: 'Can an order be cancelled again, or after an unclear answer?',
      sources: 'Only the request is documented.',
      handling: 'After an unclear answer, Bili asks again. After a refusal, it only queries whether the order was paid or has ended.',
    },
    {
      question: 'Is there a statement?',
      sources: 'Orders of a period can be listed by a call. No file format is described.',
      handling: 'Bili reads statements in the canonical format: see `bili reconcile`.',
    },
    {
      question: 'What are the smallest and the largest payment?',
      sources: 'No page says it. The codes 013 to 015 refuse an amount.',
      handling: 'TZS 100 to 10,000,000. A refusal by Selcom is shown to the customer.',
    },
  ],
};

const simulate = simulation('0754000');
/** The outcome of a status query if the order exists. Selcom gives the same answer whether or not a prompt was sent for the order. */
const pending = { kind: 'pending' } as const;
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;

export const SELCOM_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid, unanswered: failed('rejected') }),
  'partly paid': 'An order is paid in whole',
  // Selcom calls back about successful payments only. For a failure, a status query says whether the customer cancelled, and gives no other
  // reason.
  cancelled: simulate('002', ACCEPTED, [failed('user_cancelled')]),
  'wrong PIN': simulate('003', ACCEPTED, [failed('rejected')]),
  'insufficient balance': simulate('004', ACCEPTED, [failed('rejected')]),
  'insufficient balance, reported as an internal error': simulate('014', ACCEPTED, [failed('rejected')]),
  'limit exceeded': simulate('015', failed('limit_exceeded'), [pending]),
  'number not registered': simulate('006', failed('mobile_not_registered'), [pending]),
  'the customer does not answer': simulate('005', ACCEPTED, [failed('rejected')]),
  'paid after it expired': simulate('011', ACCEPTED, [failed('rejected'), paid], 1),
  'the request is lost': simulate('017', UNKNOWN, [pending]),
  'a gateway error': simulate('018', UNKNOWN, [pending]),
  // Selcom documents no answer to too many requests, so such an answer leaves the result open.
  'rejected before it is recorded': simulate('013', UNKNOWN, [pending]),
  'paid, then reversed': 'Selcom reports no reversals of payments',
};

export const SELCOM: ProviderManifest = {
  name: 'selcom',
  label: 'Selcom Checkout',
  createAdapter: createSelcomAdapter,
  capabilities: SELCOM_CAPABILITIES,
  fields: SELCOM_FIELDS,
  facts: FACTS,
  scenarios: { '': SELCOM_MATRIX },
  callback: {
    body: (ours) => ({
      order_id: ours,
      payment_status: 'COMPLETED',
      result: 'SUCCESS',
      resultcode: '000',
      resulcode: '000',
      amount: '5000',
      currency: 'TZS',
      reference: 'S1',
    }),
    headers: (now) => ({
      timestamp: now.toISOString(),
      digest: Buffer.alloc(64, 1).toString('base64'),
      'digest-method': 'HS256',
      'signed-fields': 'order_id,reference,payment_status,amount',
    }),
  },
  startSimulator: async (options) => (await import('./simulator')).startSelcomSimulator(options),
};
