import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Fact, ProviderFacts, ProviderManifest } from '@/lib/providers/kit/manifest';
import { type Matrix, SCENARIO_AMOUNT, simulation, UNKNOWN, usualScenarios } from '@/lib/providers/kit/scenarios';
import { createSnippeAdapter, SNIPPE_CAPABILITIES, SNIPPE_FIELDS } from './adapter';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from './wire';

const DOCUMENTED = { confidence: 'certain', source: 'docs.snippe.sh, and independent clients', date: '2026-11' } as const;
const BILI = { confidence: 'certain', source: 'tests of Bili', date: '2026-11' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

const FACTS: ProviderFacts = {
  summary: 'An aggregator of M-Pesa, Mixx by Yas, Airtel Money and HaloPesa with a modern API. One account reaches all four networks.',
  account: [
    'Register the business at snippe.sh and complete its verification.',
    'Create an API key with the scopes `collection:create` and `collection:read`. If refunds are to be sent as payouts, add `disbursement:create` and `disbursement:read`, and set `payouts` of the credentials to `true`.',
    'Copy the signing secret of webhooks.',
  ],
  configure: ['Nothing: each request contains the callback address. It must be a public https address.'],
  refunds:
    'as payouts from the balance of the account, with `payouts: true`: a whole payment or a part of it, at least TZS 5,000, tried only against the simulator; otherwise by hand',
  cryptography: { algorithm: 'HMAC-SHA-256', key: 'from the provider, for each account' },
  facts: [
    fact(
      'A repeated request with the same `Idempotency-Key` and the same bytes gets the first answer for 24 hours, and does nothing else.',
    ),
    fact(
      'The same `Idempotency-Key` with another body is refused with 422. So may be other invalid requests, and the error code tells them apart. A key may have 30 characters.',
    ),
    fact('60 requests a minute for each API key. A prompt and one status query are two of them.'),
    fact('At least TZS 500 for a payment.'),
    fact('Webhooks are signed: hexadecimal HMAC-SHA256 over `timestamp.body`. Five attempts in 45 minutes, then none.'),
    fact('The only provider that reports its fee for each payment. Bili stores it.'),
    fact('A payment is found by the id of Snippe only.'),
    fact(
      'No call takes a payment back. A payout sends at least TZS 5,000 to any number, and Snippe finds its network. It needs the scopes `disbursement:create` and `disbursement:read`, and takes a fee besides the amount.',
    ),
    fact('A payout is `pending`, `completed`, `failed` or `reversed`. It is found by the id of Snippe only.'),
    fact('A payout that the balance cannot pay is refused with HTTP 500, `payment_failed` and "insufficient balance".'),
    fact('Callbacks `payout.completed`, `payout.failed` and `payout.reversed` have the form and the signature of those about payments.', {
      confidence: 'likely',
      source: 'docs.snippe.sh names the events, but shows no sample; integrations',
      date: '2026-11',
    }),
    fact('Payouts of Bili were tried only against its simulator.', BILI),
    fact(
      'A payment with `payment_type` `dynamic-qr` has `payment_token`, eight digits that customers type into the menu of a wallet, and `payment_qr_code`, the text of a TANQR code. One with `card` has `payment_url`, a page for cards. The sample code of the documentation has a valid checksum. Tokens and pages are those of Selcom.',
      { confidence: 'certain', source: 'docs.snippe.sh (dynamic QR, card)', date: '2026-11' },
    ),
    fact(
      'Bili asks for a code or a page when somebody wants to pay without a prompt, with our reference as `Idempotency-Key`. After a lost answer, it repeats the same bytes, at most 23 hours later. If the remaining amount of the bill changes, or the bill is paid or closed, Bili voids the payment with `DELETE /v1/payments/{reference}`.',
      BILI,
    ),
    fact('Codes, tokens and card pages of Bili were tried only against its simulator.', BILI),
    fact('`PAY_001` for a valid key means that the wallet behind Snippe failed: the outcome is unknown.', {
      confidence: 'likely',
      source: 'integrations',
      date: '2026-07',
    }),
  ],
  questions: [
    {
      question: 'How long can a customer pay a pending payment?',
      sources: 'One page says four hours, an older one an hour. Answers contain `expires_at`.',
      handling: 'The attempt becomes unknown after three minutes, and status queries go on until Snippe reports an end.',
    },
    {
      question: 'Is there a sandbox?',
      sources: 'No page names one.',
      handling: 'Accounts in the sandbox can only use a simulator on the same machine.',
    },
    {
      question: 'What happened to a payout whose answer was lost?',
      sources: 'Snippe finds a payout by its own id only. The same request gets the first answer for 24 hours.',
      handling:
        'Bili never sends a payout twice. The refund stays unknown until a signed callback names the payout and a status query confirms it, or until a person settles it.',
    },
    {
      question: 'Can a payout reach M-Pesa?',
      sources: 'The texts of the documentation name it. A table of one page lacks it.',
      handling: 'Bili sends it. If Snippe refuses it, the refund fails, and a person gives the money back.',
    },
    {
      question: 'Does a callback about a payout contain the metadata of the request?',
      sources: 'Those about payments do. No sample shows one about a payout.',
      handling: 'Bili finds the refund by its reference in the metadata. Without it, status queries go on if the id is known.',
    },
    {
      question: 'Does a status query repeat the token, the code and the page?',
      sources: 'Only the answer to the request shows them.',
      handling: 'Bili keeps them from the answer to the request, and repeats the request if that answer was lost.',
    },
    {
      question: 'What does the answer to `DELETE /v1/payments/{reference}` contain?',
      sources: 'The call is named, and no sample shows its answer.',
      handling: 'A payment is closed if an answer says `voided`. After a refusal, a status query decides.',
    },
    {
      question: 'Can a code be paid twice, or with another amount?',
      sources: 'The code contains the amount. A payment has one state, and no page names a second payment.',
      handling: 'Bili books the amount that Snippe reports, once for each payment of Snippe.',
    },
    {
      question: 'Can a customer try again after a card was declined?',
      sources: 'No page says whether `failed` is final for a card.',
      handling: 'The page has ended, and the customer can ask for another one. A payment that comes later is booked.',
    },
    {
      question: 'Does the page of a `dynamic-qr` payment take cards, and the code of a `card` payment wallets?',
      sources: 'Both answers contain all three ways. No page says what each of them takes.',
      handling: 'Bili shows the token and the code of the one, and the page of the other.',
    },
    {
      question: 'Which address has the payer of a card?',
      sources: 'Address, town and postcode are required, and Bili knows none of them. Whether a phone number is required is unclear.',
      handling:
        'Neutral values of the account: `payerAddress`, `payerCity`, `payerPostcode`. Bili sends no phone number for codes and cards.',
    },
    {
      question: 'Which menu of each wallet takes the token?',
      sources: 'Snippe names none. Shops with tokens of Selcom name "Selcom Pay" or "Masterpass QR" in five wallets, some years ago.',
      handling: 'The number is offered to the customers of all five wallets.',
    },
    {
      question: 'Which e-mail address and name has the payer?',
      sources: 'Both are required, and a USSD payment has neither.',
      handling:
        'Neutral values of the account: `payerEmail`, `payerFirstName`, `payerLastName`. The names are also those of the payee of a payout, which Snippe requires.',
    },
  ],
};

const simulate = simulation('0754000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT, fee: 2_500n } as const;

export const SNIPPE_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid }),
  'the request is lost': simulate('017', UNKNOWN, []),
  'a gateway error': simulate('018', UNKNOWN, []),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, []),
  'paid, then reversed': 'Snippe reports no reversals of payments',
};

const TZS = { value: 5_000, currency: 'TZS' } as const;

export const SNIPPE: ProviderManifest = {
  name: 'snippe',
  label: 'Snippe',
  createAdapter: createSnippeAdapter,
  capabilities: SNIPPE_CAPABILITIES,
  fields: SNIPPE_FIELDS,
  facts: FACTS,
  scenarios: { '': SNIPPE_MATRIX },
  callback: {
    body: (ours, theirs = ours) => ({
      id: 'evt_1',
      type: 'payment.completed',
      data: {
        reference: theirs,
        status: 'completed',
        amount: TZS,
        settlement: { fees: TZS },
        failure_reason: 'none',
        metadata: { reference: ours },
      },
    }),
    headers: (now) => ({ [TIMESTAMP_HEADER]: String(Math.floor(now.getTime() / SECOND_MS)), [SIGNATURE_HEADER]: 'ab'.repeat(32) }),
  },
  startSimulator: async (options) => (await import('./simulator')).startSnippeSimulator(options),
};
