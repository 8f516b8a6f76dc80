import enAccounts from './messages/en/accounts.json';
import enAlerts from './messages/en/alerts.json';
import enBillExport from './messages/en/bill-export.json';
import enBillExtras from './messages/en/bill-extras.json';
import enBillInfo from './messages/en/bill-info.json';
import enBillList from './messages/en/bill-list.json';
import enBillPage from './messages/en/bill-page.json';
import enBillWork from './messages/en/bill-work.json';
import enCashiers from './messages/en/cashiers.json';
import enCounter from './messages/en/counter.json';
import enDocs from './messages/en/docs.json';
import enHelp from './messages/en/help.json';
import enHooks from './messages/en/hooks.json';
import enKeyScopes from './messages/en/key-scopes.json';
import enKeys from './messages/en/keys.json';
import enNotices from './messages/en/notices.json';
import enOverview from './messages/en/overview.json';
import enPay from './messages/en/pay.json';
import enPayments from './messages/en/payments.json';
import enPhone from './messages/en/phone.json';
import enPublic from './messages/en/public.json';
import enRequests from './messages/en/requests.json';
import enSearch from './messages/en/search.json';
import enShell from './messages/en/shell.json';
import enTeam from './messages/en/team.json';
import enWebhooks from './messages/en/webhooks.json';
import swAccounts from './messages/sw/accounts.json';
import swAlerts from './messages/sw/alerts.json';
import swBillExport from './messages/sw/bill-export.json';
import swBillExtras from './messages/sw/bill-extras.json';
import swBillInfo from './messages/sw/bill-info.json';
import swBillList from './messages/sw/bill-list.json';
import swBillPage from './messages/sw/bill-page.json';
import swBillWork from './messages/sw/bill-work.json';
import swCashiers from './messages/sw/cashiers.json';
import swCounter from './messages/sw/counter.json';
import swDocs from './messages/sw/docs.json';
import swHelp from './messages/sw/help.json';
import swHooks from './messages/sw/hooks.json';
import swKeyScopes from './messages/sw/key-scopes.json';
import swKeys from './messages/sw/keys.json';
import swNotices from './messages/sw/notices.json';
import swOverview from './messages/sw/overview.json';
import swPay from './messages/sw/pay.json';
import swPayments from './messages/sw/payments.json';
import swPhone from './messages/sw/phone.json';
import swPublic from './messages/sw/public.json';
import swRequests from './messages/sw/requests.json';
import swSearch from './messages/sw/search.json';
import swShell from './messages/sw/shell.json';
import swTeam from './messages/sw/team.json';
import swWebhooks from './messages/sw/webhooks.json';

/** All texts: for each language an object of namespaces. Each file contains the namespaces of one part of the product. */
export const ENGLISH = {
  ...enAccounts,
  ...enBillExport,
  ...enBillExtras,
  ...enBillInfo,
  ...enAlerts,
  ...enBillList,
  ...enBillPage,
  ...enCashiers,
  ...enBillWork,
  ...enDocs,
  ...enHelp,
  ...enCounter,
  ...enHooks,
  ...enKeyScopes,
  ...enKeys,
  ...enNotices,
  ...enOverview,
  ...enPay,
  ...enPayments,
  ...enPhone,
  ...enPublic,
  ...enRequests,
  ...enSearch,
  ...enShell,
  ...enTeam,
  ...enWebhooks,
};
export type Messages = typeof ENGLISH;

export const SWAHILI: Messages = {
  ...swAccounts,
  ...swBillExport,
  ...swBillExtras,
  ...swBillInfo,
  ...swAlerts,
  ...swBillList,
  ...swBillPage,
  ...swCashiers,
  ...swBillWork,
  ...swDocs,
  ...swHelp,
  ...swCounter,
  ...swHooks,
  ...swKeyScopes,
  ...swKeys,
  ...swNotices,
  ...swOverview,
  ...swPay,
  ...swPayments,
  ...swPhone,
  ...swPublic,
  ...swRequests,
  ...swSearch,
  ...swShell,
  ...swTeam,
  ...swWebhooks,
};
