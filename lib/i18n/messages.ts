import enAccounts from './messages/en/accounts.json';
import enBillList from './messages/en/bill-list.json';
import enBillPage from './messages/en/bill-page.json';
import enHooks from './messages/en/hooks.json';
import enKeys from './messages/en/keys.json';
import enNotices from './messages/en/notices.json';
import enOverview from './messages/en/overview.json';
import enShell from './messages/en/shell.json';
import enTeam from './messages/en/team.json';
import en from './messages/en.json';
import swAccounts from './messages/sw/accounts.json';
import swBillList from './messages/sw/bill-list.json';
import swBillPage from './messages/sw/bill-page.json';
import swHooks from './messages/sw/hooks.json';
import swKeys from './messages/sw/keys.json';
import swNotices from './messages/sw/notices.json';
import swOverview from './messages/sw/overview.json';
import swShell from './messages/sw/shell.json';
import swTeam from './messages/sw/team.json';
import sw from './messages/sw.json';

/** Every text of the product: one object for each language, of namespaces. Each file holds the namespaces of one part. */
export const ENGLISH = {
  ...en,
  ...enShell,
  ...enAccounts,
  ...enBillList,
  ...enBillPage,
  ...enKeys,
  ...enHooks,
  ...enNotices,
  ...enOverview,
  ...enTeam,
};
export type Messages = typeof ENGLISH;

export const SWAHILI: Messages = {
  ...sw,
  ...swShell,
  ...swAccounts,
  ...swBillList,
  ...swBillPage,
  ...swKeys,
  ...swHooks,
  ...swNotices,
  ...swOverview,
  ...swTeam,
};
