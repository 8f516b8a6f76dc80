/** The section of the documentation about each page of the dashboard, below the folder `docs`. */
export const HELP_DOCS = {
  overview: 'dashboard.md#overview',
  bills: 'dashboard.md#pages',
  bill: 'dashboard.md#pages',
  newBill: 'dashboard.md#pages',
  import: 'dashboard.md#pages',
  search: 'dashboard.md#pages',
  notifications: 'dashboard.md#pages',
  webhooks: 'webhooks.md#set-the-address',
  keys: 'api.md#authentication',
  team: 'dashboard.md#roles',
  settings: 'dashboard.md#pages',
  audit: 'dashboard.md#audit-log',
  account: 'dashboard.md#signing-in',
  welcome: 'dashboard.md#pages',
  notAllowed: 'dashboard.md#roles',
} as const satisfies Readonly<Record<string, string>>;

export type HelpPage = keyof typeof HELP_DOCS;
