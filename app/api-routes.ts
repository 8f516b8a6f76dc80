import * as listBillAttempts from '@/app/api/v3/bills/[id]/attempts/route';
import * as closeBill from '@/app/api/v3/bills/[id]/close/route';
import * as listBillEvents from '@/app/api/v3/bills/[id]/events/route';
import * as listBillPayments from '@/app/api/v3/bills/[id]/payments/route';
import * as pushBill from '@/app/api/v3/bills/[id]/push/route';
import * as reopenBill from '@/app/api/v3/bills/[id]/reopen/route';
import * as getBill from '@/app/api/v3/bills/[id]/route';
import * as createBills from '@/app/api/v3/bills/bulk/route';
import * as createBill from '@/app/api/v3/bills/create/route';
import * as listBills from '@/app/api/v3/bills/route';
import * as validateBill from '@/app/api/v3/bills/validate/route';
import * as listEvents from '@/app/api/v3/events/route';
import * as listNetworks from '@/app/api/v3/networks/route';
import * as controlSandboxTime from '@/app/api/v3/sandbox/time/route';

/** The declared routes of the API. Each exports one handler under the names of all methods, so GET stands for all of them. */
export const API_ROUTES = [
  createBill.GET,
  createBills.GET,
  validateBill.GET,
  getBill.GET,
  listBills.GET,
  pushBill.GET,
  closeBill.GET,
  reopenBill.GET,
  listBillPayments.GET,
  listBillAttempts.GET,
  listBillEvents.GET,
  listEvents.GET,
  listNetworks.GET,
  controlSandboxTime.GET,
];
