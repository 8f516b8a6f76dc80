import type { Fact, ProviderFacts } from '@/lib/providers/port/facts';

const DOCUMENTED = { confidence: 'certain', source: 'docs.clickpesa.com, and independent clients', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'several independent clients', date: '2026-08' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

export const CLICKPESA_FACTS: ProviderFacts = {
  name: 'clickpesa',
  title: 'ClickPesa',
  summary:
    'An aggregator of M-Pesa, Mixx by Yas, Airtel Money and HaloPesa. Payments are found by our reference, and callbacks are signed.',
  account: [
    'Register the business at clickpesa.com and complete its verification. Before it, an application may make 100 calls a day.',
    'Create an application of the type API. Copy its client id, and its API key, which is shown once.',
    'Switch on the checksum of the application, and copy the checksum key.',
  ],
  configure: [
    'Enter the callback address of the account for the events "Payment received" and "Payment failed" of the application.',
    'If you restrict the addresses that may call the API, add the addresses of your workers.',
  ],
  refunds: 'no: ClickPesa has no such call for payments of customers',
  facts: [
    fact(
      'A checksum is hexadecimal HMAC-SHA256 over the JSON with sorted keys, without `checksum` and `checksumMethod`. Webhooks have the same.',
    ),
    fact('A token is valid for an hour, and already begins with "Bearer". A change of the checksum settings ends it.'),
    fact('A used `orderReference` is refused with 409.'),
    fact('A status query right after a request may answer 404.'),
    fact('`SUCCESS` and `SETTLED` mean paid. `REFUNDED` and `REVERSED` may follow. Collections cannot be reversed by a call.'),
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
      question: 'What is the smallest payment?',
      sources: 'No page says it.',
      handling: 'TZS 100. A refusal by ClickPesa is shown to the customer.',
    },
  ],
};
