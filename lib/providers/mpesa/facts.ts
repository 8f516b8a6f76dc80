import type { Fact, ProviderFacts } from '@/lib/providers/port/facts';

const DOCUMENTED = { confidence: 'certain', source: 'openapiportal.m-pesa.com, and independent clients', date: '2026-11' } as const;
const SEEN = { confidence: 'likely', source: 'several independent clients', date: '2026-08' } as const;
const fact = (text: string, about: Omit<Fact, 'text'> = DOCUMENTED): Fact => ({ text, ...about });

export const MPESA_FACTS: ProviderFacts = {
  name: 'mpesa',
  title: 'M-Pesa',
  summary: "Vodacom's own M-Pesa OpenAPI for Tanzania, without an aggregator. It can reverse payments.",
  account: [
    'Register at openapiportal.m-pesa.com, and create an application for the market vodacomTZN.',
    'Copy the API key of the application, and the public key of the environment. Sandbox and live have different public keys.',
    'For live payments, link the application to the organisation and its shortcode, and have it reviewed.',
    'Ask Vodacom to enable reversals for the organisation if you want to refund payments through Bili.',
  ],
  configure: [
    'Enter the callback address of the account as response URL of the application, if it is asynchronous.',
    'Add the addresses of your workers to the trusted sources, and set `origin` to one of them.',
    'Set `mode` to the mode of the application, and `sessionMinutes` to the lifetime of sessions in the portal.',
  ],
  refunds: 'the whole payment or a part of it',
  facts: [
    fact('The API key is encrypted with the public key to open a session, and each call with the session id.'),
    fact('A new session may be usable only after 30 s.'),
    fact('`INS-0` without a transaction id means that the request was accepted, and not that it was paid.'),
    fact('In synchronous mode, a call lasts until the customer has entered the PIN, up to three minutes.'),
    fact('Neither answers nor callbacks contain the amount: the requested amount counts.'),
    fact('Callbacks are not signed. A status query confirms each.'),
    fact('A used conversation id is refused with `INS-10`.'),
    fact('`INS-6` with HTTP 401 is a failed payment, and not a wrong session.'),
    fact('A status query may be about our conversation id of up to 32 letters and digits.'),
    fact('An insufficient balance is sometimes reported as `INS-1`, an internal error: a status query decides.', SEEN),
  ],
  questions: [
    {
      question: 'Does `INS-23` mean that a payment does not exist?',
      sources: 'It is called both "transaction not found" and "status unknown".',
      handling: 'Bili never sends a request again because of it. The attempt stays unknown until a status query finds the payment.',
    },
    {
      question: 'How long does a session last?',
      sources: 'The portal sets it for each application. An hour is usual in the sandbox.',
      handling: 'The member `sessionMinutes` of the credentials. Bili renews a session early.',
    },
    {
      question: 'Which method has a reversal?',
      sources: 'The portal says PUT. One project uses POST.',
      handling: 'PUT.',
    },
  ],
};
