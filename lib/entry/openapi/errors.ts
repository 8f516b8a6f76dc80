import { z } from 'zod';
import type { DescribedRoute } from '@/lib/entry/http/api';
import { ERRORS } from '@/lib/entry/http/errors';
import type { Settings } from '@/lib/platform/config/settings';
import type { FailureCode } from '@/lib/platform/core/failure';
import { SCENARIO_NAMES } from '@/lib/providers/scenarios/scenarios';
import { errorHeaders } from './headers';
import type { SchemaComponents } from './schemas';
import type { ApiResponse } from './types';

const errorSchema = z
  .strictObject({ error: z.string().meta({ description: 'What is wrong, in English. Programs use the header `Bili-Error` instead.' }) })
  .meta({ title: 'Error', description: 'An error. It always has exactly one member.' });

const STATUSES: Readonly<Record<number, string>> = {
  400: 'Something in the request is missing or wrong. Correct it.',
  401: 'The key or the secret is wrong, revoked or expired, or belongs to the other environment.',
  403: 'The key is valid but may not do this.',
  404: 'There is no such bill or payment, or the merchant is not active in this environment.',
  409: 'The present state does not allow this.',
  413: 'The body is too large.',
  415: 'The body has a type or an encoding that Bili does not read.',
  421: 'The `Host` is neither of the base addresses.',
  422: 'The `Idempotency-Key` belongs to a different request.',
  429: 'Too many requests. Wait for the seconds in `Retry-After`.',
  500: 'A bug in Bili. Send the same request again, with the same `Idempotency-Key`.',
  503: 'Bili is too busy, or its database cannot be reached. Wait for the seconds in `Retry-After`, then send the same request again.',
};

/** Returns, by failure code, the text that replaces `{}` in the message of the example. @param scope the scope that the operation needs */
function details(
  { MAX_BILL_AMOUNT }: Pick<Settings, 'MAX_BILL_AMOUNT'>,
  scope: Scope | null,
): Readonly<Partial<Record<FailureCode, string>>> {
  return {
    amount_too_large: String(MAX_BILL_AMOUNT),
    bill_not_found: '01a1fb0f-0000-7000-8000-000000000000',
    key_address_refused: '203.0.113.7',
    ...(scope !== null && { key_scope_missing: scope }),
    scenario_unknown: SCENARIO_NAMES.join(', '),
    key_bill_limit: '100000',
    key_day_limit: '1000000',
    network_not_served: 'ttcl',
    payment_not_found: '01a1fb0f-0000-7000-8000-000000000000',
    more_than_due: '3500.0',
    cash_too_much: '3500.0',
    pin_wrong: '4',
    refund_payment_unclear: '01a1fb0f-ebe1-7000-8000-b3d07c5e9a12, 01a1fb10-02a1-7000-8000-6c1d9b0e2f6a',
  };
}

type Scope = NonNullable<DescribedRoute['keyScope']>;

interface ErrorsOptions {
  readonly codes: readonly FailureCode[];
  /** The scope of the API key that the operation needs; null if it needs none. */
  readonly scope: Scope | null;
  readonly settings: Pick<Settings, 'MAX_BILL_AMOUNT'>;
  readonly schemas: SchemaComponents;
}

/** Returns the error answers of an operation by status, each with an example for every code. */
export function errorResponses({ codes, scope, settings, schemas }: ErrorsOptions): Record<string, ApiResponse> {
  const schema = schemas.add(errorSchema, { io: 'output', name: 'Error' });
  const detail = details(settings, scope);
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, own]): [string, ApiResponse] => {
        const examples = own.map((code) => {
          const error = ERRORS[code].message.replace('{}', detail[code] ?? '…');
          return [code, { summary: error, value: { error } }] as const;
        });
        const description = STATUSES[status] ?? 'The request failed.';
        const content = { 'application/json': { schema, examples: Object.fromEntries(examples) } };
        return [String(status), { description, headers: errorHeaders(status, own), content }];
      }),
  );
}
