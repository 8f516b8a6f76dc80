// Generated from the names of the files in the folder "messages".
import enAccount from './messages/en/account.json';
import enAudit from './messages/en/audit.json';
import enBillImport from './messages/en/bill-import.json';
import enBillList from './messages/en/bill-list.json';
import enBillNew from './messages/en/bill-new.json';
import enBillPage from './messages/en/bill-page.json';
import enCounter from './messages/en/counter.json';
import enDocs from './messages/en/docs.json';
import enHome from './messages/en/home.json';
import enInvitation from './messages/en/invitation.json';
import enKeys from './messages/en/keys.json';
import enNotices from './messages/en/notices.json';
import enNotifications from './messages/en/notifications.json';
import enOverview from './messages/en/overview.json';
import enPay from './messages/en/pay.json';
import enPayments from './messages/en/payments.json';
import enPhone from './messages/en/phone.json';
import enPhones from './messages/en/phones.json';
import enRefunds from './messages/en/refunds.json';
import enRequests from './messages/en/requests.json';
import enSearch from './messages/en/search.json';
import enSettings from './messages/en/settings.json';
import enShell from './messages/en/shell.json';
import enSignIn from './messages/en/sign-in.json';
import enTeam from './messages/en/team.json';
import enVerify from './messages/en/verify.json';
import enWays from './messages/en/ways.json';
import enWebhooks from './messages/en/webhooks.json';
import enWelcome from './messages/en/welcome.json';
import swAccount from './messages/sw/account.json';
import swAudit from './messages/sw/audit.json';
import swBillImport from './messages/sw/bill-import.json';
import swBillList from './messages/sw/bill-list.json';
import swBillNew from './messages/sw/bill-new.json';
import swBillPage from './messages/sw/bill-page.json';
import swCounter from './messages/sw/counter.json';
import swDocs from './messages/sw/docs.json';
import swHome from './messages/sw/home.json';
import swInvitation from './messages/sw/invitation.json';
import swKeys from './messages/sw/keys.json';
import swNotices from './messages/sw/notices.json';
import swNotifications from './messages/sw/notifications.json';
import swOverview from './messages/sw/overview.json';
import swPay from './messages/sw/pay.json';
import swPayments from './messages/sw/payments.json';
import swPhone from './messages/sw/phone.json';
import swPhones from './messages/sw/phones.json';
import swRefunds from './messages/sw/refunds.json';
import swRequests from './messages/sw/requests.json';
import swSearch from './messages/sw/search.json';
import swSettings from './messages/sw/settings.json';
import swShell from './messages/sw/shell.json';
import swSignIn from './messages/sw/sign-in.json';
import swTeam from './messages/sw/team.json';
import swVerify from './messages/sw/verify.json';
import swWays from './messages/sw/ways.json';
import swWebhooks from './messages/sw/webhooks.json';
import swWelcome from './messages/sw/welcome.json';

/** All texts: for each language an object of namespaces. Each file contains the namespaces of one page or part of the product. */
export const ENGLISH = {
  ...enAccount,
  ...enAudit,
  ...enBillImport,
  ...enBillList,
  ...enBillNew,
  ...enBillPage,
  ...enCounter,
  ...enDocs,
  ...enHome,
  ...enInvitation,
  ...enKeys,
  ...enNotices,
  ...enNotifications,
  ...enOverview,
  ...enPay,
  ...enPayments,
  ...enPhone,
  ...enPhones,
  ...enRefunds,
  ...enRequests,
  ...enSearch,
  ...enSettings,
  ...enShell,
  ...enSignIn,
  ...enTeam,
  ...enVerify,
  ...enWays,
  ...enWebhooks,
  ...enWelcome,
};
export type Messages = typeof ENGLISH;

export const SWAHILI: Messages = {
  ...swAccount,
  ...swAudit,
  ...swBillImport,
  ...swBillList,
  ...swBillNew,
  ...swBillPage,
  ...swCounter,
  ...swDocs,
  ...swHome,
  ...swInvitation,
  ...swKeys,
  ...swNotices,
  ...swNotifications,
  ...swOverview,
  ...swPay,
  ...swPayments,
  ...swPhone,
  ...swPhones,
  ...swRefunds,
  ...swRequests,
  ...swSearch,
  ...swSettings,
  ...swShell,
  ...swSignIn,
  ...swTeam,
  ...swVerify,
  ...swWays,
  ...swWebhooks,
  ...swWelcome,
};
