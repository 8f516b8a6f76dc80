import { z } from 'zod';
import { askBillInstruments, type InstrumentView, listBillInstruments, SHOWN_STATES } from '@/lib/backoffice/bill-page/bill-instruments';
import type { ApiRuntime } from '@/lib/entry/http/api';
import { moneySchema, openEnum, timeSchema } from '@/lib/gateway/bills/answer-schema';
import { BILL_DATE_EXAMPLE } from '@/lib/gateway/bills/bill-json';
import { INSTRUMENT_ENDS } from '@/lib/gateway/instruments/rules';
import type { KeyAccess } from '@/lib/identity/accounts/access/grant-access';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { formatApiAmount } from '@/lib/platform/core/money';
import { NETWORKS } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';

/** The failure codes of a request for payment instruments. */
export const INSTRUMENT_FAILURES = [
  'bill_not_found',
  'instrument_not_payable',
  'instrument_not_offered',
  'instrument_too_many',
] as const satisfies readonly FailureCode[];

/** Asks for the payment instruments of a bill. Returns the instruments that it has now as JSON text. */
export async function askApiInstruments(
  runtime: ApiRuntime,
  access: KeyAccess,
  billId: string,
): Promise<Result<string, Failure<(typeof INSTRUMENT_FAILURES)[number]>>> {
  const asked = await askBillInstruments(runtime, access, billId);
  if (asked.ok) return ok(instrumentsJson(asked.value));
  switch (asked.error) {
    case 'not_found':
      return fail({ code: 'bill_not_found', detail: billId });
    case 'not_payable':
    case 'not_offered':
    case 'too_many':
      return fail({ code: `instrument_${asked.error}` });
    default:
      throw new Error(`an API key was refused: ${asked.error}`);
  }
}

/** Returns the payment instruments of a bill as JSON text, the oldest first. */
export async function readBillInstruments(
  runtime: ApiRuntime,
  access: KeyAccess,
  billId: string,
): Promise<Result<string, Failure<'bill_not_found'>>> {
  const instruments = await listBillInstruments(runtime, access, billId);
  return instruments ? ok(instrumentsJson(instruments)) : fail({ code: 'bill_not_found', detail: billId });
}

function instrumentsJson(instruments: readonly InstrumentView[]): string {
  return `{"instruments":[${instruments.map(instrumentJson).join(',')}]}`;
}

const NO_WAYS = { number: null, qr: null, link: null };

function instrumentJson({ id, state, kind, amount, networks, takes, expiresAt, endedAt, reason, ...issued }: InstrumentView): string {
  const { number, qr, link } = state === 'ACTIVE' ? issued : NO_WAYS;
  const times = { expiresAt: expiresAt?.getTime() ?? null, endedAt: endedAt?.getTime() ?? null };
  const [start, end] = [
    { id, state, kind },
    { number, qr, link, networks, takes, ...times, reason },
  ].map((part) => JSON.stringify(part).slice(1, -1));
  return `{${start},"amount":${formatApiAmount(amount)},${end}}`;
}

/** A payment instrument, as `instrumentJson` writes it. */
const instrumentSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'The id of the instrument.' }),
    state: openEnum(SHOWN_STATES).meta({
      description:
        '`PENDING`: the provider has not issued it yet. `ACTIVE`: a customer can pay it. `ENDED`: do not show it any more; `reason` says why.',
    }),
    kind: z.string().meta({ description: "The provider's word for this kind of instrument, for example `order`." }),
    amount: moneySchema('What it asks for.'),
    number: z
      .string()
      .nullable()
      .meta({ description: 'The number that the customer enters in the menu of the wallet. Null unless `ACTIVE`.' }),
    qr: z.string().nullable().meta({
      description: 'The text of a TANQR code, which wallets and bank apps scan. Draw it as a QR code. Null unless `ACTIVE`.',
    }),
    link: z.string().nullable().meta({ description: "The address of the provider's page, for example for cards. Null unless `ACTIVE`." }),
    networks: z.array(openEnum(NETWORKS)).meta({ description: 'The networks whose wallets can pay the number.' }),
    takes: openEnum(['exact', 'open']).meta({
      description: '`exact`: the provider takes only this amount, once. `open`: it takes payments of any amount, any number of times.',
    }),
    expiresAt: timeSchema('Until when it can be paid; null if the provider does not say so.').nullable(),
    endedAt: timeSchema('When Bili ended it; null until then.').nullable(),
    reason: openEnum(INSTRUMENT_ENDS)
      .meta({
        description:
          'Why it has ended. `paid`, `closed`: so is the bill. `changed`: the bill has another remaining amount. `expired`. `refused`: the provider did not issue it. `lost`: the answer of the provider was lost.',
      })
      .nullable(),
  })
  .meta({ title: 'Instrument', description: 'A way to pay a bill without a payment request to a phone.' });

/** The payment instruments of a bill. */
export const instrumentsSchema = z.strictObject({ instruments: z.array(instrumentSchema) });

const PENDING_EXAMPLE = {
  id: '01a1fb10-05b2-7000-8000-3c5e7a9b1d2f',
  state: 'PENDING',
  kind: 'order',
  amount: 5000,
  number: null,
  qr: null,
  link: null,
  networks: ['vodacom', 'yas', 'airtel'],
  takes: 'exact',
  expiresAt: null,
  endedAt: null,
  reason: null,
} satisfies z.output<typeof instrumentSchema>;

export const ASKED_INSTRUMENTS_EXAMPLE = { instruments: [PENDING_EXAMPLE] } satisfies z.output<typeof instrumentsSchema>;

export const INSTRUMENTS_EXAMPLE = {
  instruments: [{ ...PENDING_EXAMPLE, state: 'ACTIVE', number: '60041733', expiresAt: BILL_DATE_EXAMPLE + 86_400_000 }],
} satisfies z.output<typeof instrumentsSchema>;
