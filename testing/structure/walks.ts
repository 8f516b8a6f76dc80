import type { SourceFile } from './source-files';

/** An act of the product, and the files that it passes from its entry to its SQL. */
export interface Walk {
  readonly act: string;
  /** The number of files that the act may pass. */
  readonly most: number;
  /** In the order in which the act passes them. Each file after the first is imported by one before it. */
  readonly files: readonly string[];
}

/** The walks that docs/architecture.md describes. Tests, generated files and `lib/platform/core` are not counted. */
export const WALKS: readonly Walk[] = [
  {
    act: 'a callback of Snippe to the payment in the ledger',
    most: 17,
    files: [
      'app/callbacks/[provider]/[token]/direct.ts',
      'lib/entry/http/errors.ts',
      'lib/entry/http/request-facts.ts',
      'lib/entry/http/body.ts',
      'lib/gateway/callbacks/receive-callback.ts',
      'lib/providers/accounts/account-store.ts',
      'lib/gateway/messages/message-store.ts',
      'lib/platform/queues/shared-queue.ts',
      'lib/providers/registry.ts',
      'lib/providers/snippe/manifest.ts',
      'lib/providers/snippe/adapter.ts',
      'lib/providers/snippe/wire.ts',
      'lib/gateway/payments/store.ts',
      'lib/gateway/attempts/apply-outcome.ts',
      'lib/gateway/payments/rules.ts',
      'lib/gateway/ledger/bookings.ts',
      'lib/gateway/bills/change-bill.ts',
    ],
  },
  {
    act: 'the amount of create-bill, from the listener to SQL',
    most: 15,
    files: [
      'app/direct-routes.ts',
      'lib/entry/http/listener.ts',
      'app/api/v3/api-routes.ts',
      'app/api/v3/post-routes.ts',
      'lib/entry/http/api.ts',
      'lib/entry/http/sent-request.ts',
      'lib/gateway/bills/schema.ts',
      'lib/gateway/bills/create/create-bill.ts',
      'lib/gateway/bills/rules.ts',
      'lib/gateway/bills/bill-json.ts',
      'lib/gateway/bills/create/insert-bills.ts',
      'lib/platform/queues/natural-batcher.ts',
      'lib/platform/queues/fair-line.ts',
      'lib/platform/db/statement.ts',
    ],
  },
  {
    // The files to open to add such a member, besides `prisma/schema.prisma` and the migration. A member that only the API and the bill's
    // page in the dashboard show needs two: `bill-info.ts` and `components/dashboard/bill-page/history.tsx`.
    act: 'an optional member of create-bill (returnUrl), from the payment page to its declaration',
    most: 6,
    files: [
      'components/pay/pay-page.tsx',
      'lib/gateway/payment-page/show-pay-page.ts',
      'lib/gateway/bills/linked-bill.ts',
      'lib/gateway/bills/bill-info.ts',
      'lib/identity/merchants/return-origins.ts',
    ],
  },
  {
    act: 'webhook delivery: from the job of the worker to the SQL that stores the result',
    most: 13,
    files: [
      'lib/entry/worker/jobs.ts',
      'lib/entry/worker/pump.ts',
      'lib/gateway/webhooks/delivery-store.ts',
      'lib/gateway/webhooks/deliver/deliver-webhook.ts',
      'lib/gateway/webhooks/rules.ts',
      'lib/platform/outbound/call-once.ts',
      'lib/platform/outbound/kept-connections.ts',
      'lib/platform/outbound/vetted-client.ts',
      'lib/platform/outbound/address-rules.ts',
      'lib/gateway/webhooks/failure-rules.ts',
      'lib/gateway/webhooks/endpoint/endpoint-rules.ts',
      'lib/gateway/webhooks/endpoint/endpoint-store.ts',
    ],
  },
  {
    act: 'filter of the bill list: from the page to the SQL of the rows',
    most: 10,
    files: [
      'app/(dashboard)/m/[merchant]/[environment]/bills/page.tsx',
      'lib/backoffice/bill-list/bill-query.ts',
      'lib/backoffice/bill-list/list-bills.ts',
      'lib/identity/accounts/access/grant-access.ts',
      'lib/backoffice/bill-list/list-store.ts',
      'lib/gateway/bills/rules.ts',
      'lib/gateway/bills/store.ts',
      'lib/gateway/bills/check-bills.ts',
    ],
  },
  {
    // A check of the request (cookies, rate limit, origin) counts as one file: its own helpers are not followed.
    act: 'payment page form to attempt',
    most: 15,
    files: [
      'app/pay/direct.tsx',
      'lib/entry/http/errors.ts',
      'lib/entry/server/web-runtime.ts',
      'lib/entry/http/request-facts.ts',
      'lib/entry/http/pay-device.ts',
      'lib/identity/limits/request-limits.ts',
      'lib/entry/http/body.ts',
      'lib/entry/http/same-origin.ts',
      'lib/gateway/prompts/request-prompt.ts',
      'lib/gateway/bills/change-bill.ts',
      'lib/gateway/prompts/prompt-store.ts',
      'lib/providers/accounts/route-store.ts',
      'lib/gateway/prompts/decide-prompt.ts',
      'lib/gateway/bills/rules.ts',
      'lib/gateway/payments/rules.ts',
    ],
  },
];

/** Returns what is wrong with a walk: a file that does not exist, a file that no file before it imports, or too many files. */
export function walkProblems({ act, most, files: passed }: Walk, files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const problems = passed.flatMap((path, index) => {
    if (!byPath.has(path)) return [`${act}: ${path} does not exist`];
    const before = passed.slice(0, index).flatMap((one) => byPath.get(one)?.imports ?? []);
    return index === 0 || before.includes(path) ? [] : [`${act}: no file before ${path} imports it`];
  });
  return passed.length > most ? [...problems, `${act} passes ${passed.length} files, more than ${most}`] : problems;
}
