import type { ApiRoute } from '@/lib/entry/http/api';
import {
  getBillRoute,
  listBillAttemptsRoute,
  listBillEventsRoute,
  listBillInstrumentsRoute,
  listBillPaymentsRoute,
  listBillRefundsRoute,
  listBillsRoute,
  listEventsRoute,
  listNetworksRoute,
} from './get-routes';
import {
  askInstrumentsRoute,
  closeBillRoute,
  controlSandboxTimeRoute,
  createBillRoute,
  createBillsRoute,
  pushBillRoute,
  recordPaymentRoute,
  refundBillRoute,
  reopenBillRoute,
  validateBillRoute,
} from './post-routes';

/** The declared routes of the API. The listener serves them (`app/direct-routes.ts`). */
export const API_ROUTES: readonly ApiRoute[] = [
  createBillRoute,
  createBillsRoute,
  validateBillRoute,
  getBillRoute,
  listBillsRoute,
  pushBillRoute,
  askInstrumentsRoute,
  listBillInstrumentsRoute,
  recordPaymentRoute,
  closeBillRoute,
  reopenBillRoute,
  listBillPaymentsRoute,
  refundBillRoute,
  listBillRefundsRoute,
  listBillAttemptsRoute,
  listBillEventsRoute,
  listEventsRoute,
  listNetworksRoute,
  controlSandboxTimeRoute,
];
