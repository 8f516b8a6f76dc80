/**
 * The folders of the product, lowest first. A folder may import only folders before it, so no two folders import each other. A new folder
 * needs a line here. The pages of `app` count as one folder.
 */
export const FOLDERS: readonly string[] = [
  // The base of everything.
  'lib/core',
  'lib/i18n',
  'lib/config',
  'lib/log',
  'lib/metrics',
  'lib/db',
  'lib/runtime',
  'lib/outbound',
  'lib/audit',
  'lib/mail',

  // Permissions.
  'lib/accounts',
  'lib/accounts/sessions',
  'lib/accounts/access',
  'lib/accounts/passwords/common',
  'lib/accounts/passwords',
  'lib/accounts/second-factor',
  'lib/accounts/sign-in',
  'lib/audit/log',
  'lib/keys',
  'lib/queues',
  'lib/limits',
  'lib/merchants',
  'lib/accounts/team',
  'lib/accounts/account',

  // Providers.
  'lib/providers/port',
  'lib/providers/simulation',
  'lib/providers/sandbox',
  'lib/providers/mpesa',
  'lib/providers/snippe',
  'lib/providers/clickpesa',
  'lib/providers/mixx',
  'lib/providers/pawapay',
  'lib/providers/azampay',
  'lib/providers/airtel',
  'lib/providers/selcom',
  'lib/providers',
  'lib/networks',
  'lib/refusals',
  'lib/reviews',

  // Bills, webhooks and payments, in the order in which they use each other.
  'lib/payments',
  'lib/bills',
  'lib/webhooks',
  'lib/payments/messages',
  'lib/providers/accounts',
  'lib/payments/reversals/requests',
  'lib/payments/ledger',
  'lib/payments/prompts',
  'lib/payments/attempts',
  'lib/payments/reversals',
  'lib/payments/callbacks',
  'lib/payments/page',
  'lib/reconciliation',
  'lib/receipts',
  'lib/bills/create',
  'lib/bills/list',
  'lib/bills/views',
  'lib/bills/export',
  'lib/bills/import',
  'lib/webhooks/endpoint',
  'lib/webhooks/log',
  'lib/webhooks/redeliver',
  'lib/webhooks/deliver',
  'lib/webhooks/check',
  'lib/webhooks/explain',
  'lib/webhooks/feed',
  'lib/webhooks/page',
  'lib/bills/page',

  // Subjects that combine several others.
  'lib/overview',
  'lib/notices',
  'lib/outages',
  'lib/merchants/manage',
  'lib/accounts/email-links',
  'lib/demo',

  // Processes.
  'lib/processes',
  'lib/doctor',
  'lib/http',
  'lib/metrics/serve',
  'lib/server',
  'lib/worker',

  // Installation and build.
  'lib/build',

  // Pages.
  'components/ui',
  'components/ui/forms',
  'components/pay/poller',
  'components/pay',
  'components/pay/receipt',
  'components/design',
  'components/dashboard',
  'components/dashboard/shell',
  'components/dashboard/auth',
  'components/dashboard/account',
  'components/dashboard/audit',
  'components/dashboard/bill-list',
  'components/dashboard/bill-new',
  'components/dashboard/webhooks/endpoint',
  'components/dashboard/webhooks',
  'components/dashboard/bill-page',
  'components/dashboard/keys',
  'components/dashboard/overview',
  'components/dashboard/settings',
  'components/dashboard/team',
  'app',

  // The command line, which starts everything.
  'lib/cli/terminal',
  'lib/cli/deployment',
  'lib/cli/views',
  'lib/cli/commands',
  'lib/cli/simulate',
  'lib/cli',
];

/** Maximum number of source files in a folder, without tests. */
export const FILES_PER_FOLDER_MAX = 25;
