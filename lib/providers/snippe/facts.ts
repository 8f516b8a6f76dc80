import type { Fact, ProviderFacts } from '@/lib/providers/port/facts';

const DOCUMENTED = { confidence: 'certain', source: 'docs.snippe.sh, and independent clients', date: '2026-11' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

export const SNIPPE_FACTS: ProviderFacts = {
  name: 'snippe',
  title: 'Snippe',
  summary: 'An aggregator of M-Pesa, Mixx by Yas, Airtel Money and HaloPesa with a modern API. One account reaches all four networks.',
  account: [
    'Register the business at snippe.sh and complete its verification.',
    'Create an API key with the scopes `collection:create` and `collection:read`.',
    'Copy the signing secret of webhooks.',
  ],
  configure: ['Nothing: each request contains the callback address. It must be a public https address.'],
  refunds: 'no: Snippe has no such call',
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
      question: 'Which e-mail address and name has the payer?',
      sources: 'Both are required, and a USSD payment has neither.',
      handling: 'Neutral values of the account: `payerEmail`, `payerFirstName`, `payerLastName`.',
    },
  ],
};
