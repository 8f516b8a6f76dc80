import type { Fact, ProviderFacts } from '@/lib/providers/port/facts';

const DOCUMENTED = { confidence: 'certain', source: 'developers.selcommobile.com, and independent clients', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'answers of the live system in public integrations', date: '2026-08' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

export const SELCOM_FACTS: ProviderFacts = {
  name: 'selcom',
  title: 'Selcom Checkout',
  summary: 'An aggregator of M-Pesa, Mixx by Yas, Airtel Money, HaloPesa and T-Pesa. Payments are found by our reference.',
  account: [
    'Ask Selcom for an account with the product Checkout. Selcom sends the vendor id, the API key and the API secret.',
    'Ask Selcom to enable the operations create-order-minimal, wallet-payment and order-status. Each is enabled separately.',
  ],
  configure: [
    'Give Selcom the addresses from which your workers call. It refuses all other addresses, whatever their signature.',
    'Keep the clocks of your workers correct: each request contains its time, and Selcom refuses a wrong one.',
    'Nothing for callbacks: each order contains the callback address. It must be a public https address.',
  ],
  refunds: 'no: Selcom has no such call',
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
    fact('There is no operation that reverses a payment.'),
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
