import { z } from 'zod';
import type { Ending } from '@/lib/providers/simulation/behaviours';
import type { SimulatedPayment } from '@/lib/providers/simulation/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/simulation/server';
import {
  describeIssues,
  type Protocol,
  type Simulation,
  type SimulationOptions,
  startSimulation,
} from '@/lib/providers/simulation/simulation';
import type { SelcomCredentialsInput } from './credentials';
import { formatTimestamp } from './signature';
import { API_KEY, API_SECRET, failure, refuseAccess } from './simulated-access';
import { ORDER_PATH, type OrderRequest, orderRequestSchema, PAYMENT_PATH, paymentRequestSchema, STATUS_PATH } from './wire';

const VENDOR = 'SIMULATED';

interface Order extends OrderRequest {
  readonly createdAt: Date;
  isCancelled?: boolean;
}
interface Details extends Order {
  readonly transid: string;
}
type Payment = SimulatedPayment<Details>;

const STATUSES: Readonly<Record<Ending, string>> = {
  paid: 'COMPLETED',
  cancelled: 'USERCANCELLED',
  wrong_pin: 'REJECTED',
  insufficient_funds: 'REJECTED',
  internal_error: 'REJECTED',
  expired: 'CANCELLED',
};

/** What a simulated Selcom remembers besides payments. */
interface Memory {
  readonly orders: Map<string, Order>;
  readonly orderAnswers: Reply[];
}

/** Starts a simulator of Selcom Checkout. */
export async function startSelcomSimulator(options: SimulationOptions) {
  const memory: Memory = { orders: new Map(), orderAnswers: [] };
  const protocol: Protocol<Details> = {
    tokenPath: null,
    tooManyRequests: failure(429, '429', 'Too many requests'),
    unknownAddress: failure(404, '404', 'Not found'),
    // No source says that Selcom refuses a second prompt for an order. The simulator sends the second prompt and records a complaint.
    refusesDuplicates: false,
    repeatPausesMs: [],
    callbackUrlOf: ({ details }) => callbackUrlOf(details),
    // Selcom calls back about successful payments only. Real callbacks had no signature, although Selcom documents a signature.
    callback: (payment, ending, forged) =>
      ending === 'paid' ? { body: JSON.stringify(toWebhook(payment, forged ? 'FORGED' : payment.id)) } : null,
    routes: (simulation) => routes(simulation, memory),
    wrongAddresses: [
      { path: /\/wallet\/pushussd$/, detail: 'a payment of pushussd belongs to no order, so that order-status does not find it' },
      { path: /\/order-status\/./, detail: 'order-status takes order_id as a query parameter' },
    ],
  };
  const running = await startSimulation(protocol, options);
  return {
    ...running,
    /** Replaces the answers to the next valid create-order calls. The orders are still created. */
    replaceOrderAnswers: (...replies: readonly Reply[]) => void memory.orderAnswers.push(...replies),
    /** Credentials of a provider account that uses this simulator. */
    credentials: {
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      vendor: VENDOR,
      buyerEmail: 'payments@example.com',
      baseUrl: running.url,
    } satisfies SelcomCredentialsInput,
  };
}

function callbackUrlOf({ webhook }: OrderRequest): string | null {
  const url = z.url().safeParse(Buffer.from(webhook ?? '', 'base64').toString('utf8'));
  return url.success ? url.data : null;
}

function routes(simulation: Simulation<Details>, memory: Memory): readonly Route[] {
  const authorised = (answer: Route['answer']) => (request: SimulatedRequest) => {
    if (simulation.conduct.suspended) return failure(403, '403', 'API endpoint not enabled for the vendor (4035)');
    return refuseAccess(request, simulation.clock) ?? answer(request);
  };
  return [
    { method: 'POST', path: ORDER_PATH, answer: authorised((request) => createOrder(simulation, memory, request)) },
    // The adapter does not use the next three, but Selcom's own client has them.
    { method: 'POST', path: '/v1/checkout/create-order', answer: authorised((request) => createOrder(simulation, memory, request)) },
    { method: 'DELETE', path: '/v1/checkout/cancel-order', answer: authorised((request) => cancelOrder(simulation, memory, request)) },
    { method: 'GET', path: '/v1/checkout/list-orders', answer: authorised((request) => listOrders(simulation, memory, request)) },
    { method: 'POST', path: PAYMENT_PATH, answer: authorised((request) => takePayment(simulation, memory, request)) },
    { method: 'GET', path: STATUS_PATH, answer: authorised((request) => showOrder(simulation, memory, request)) },
  ];
}

function createOrder({ clock, random }: Simulation<Details>, { orders, orderAnswers }: Memory, { body }: SimulatedRequest): Reply {
  const parsed = orderRequestSchema.safeParse(body);
  if (!parsed.success) return refuseParameter(parsed.error);
  const order = parsed.data;
  if (order.vendor !== VENDOR) return failure(412, '412', 'Parameter vendor is invalid or missing');
  if (order.webhook !== undefined && callbackUrlOf(order) === null) return failure(412, '412', 'Parameter webhook is invalid or missing');
  // Selcom does not document the text of this refusal.
  if (orders.has(order.order_id)) return orderAnswers.shift() ?? failure(200, '409', 'Duplicate order_id');
  orders.set(order.order_id, { ...order, createdAt: clock() });
  const payment_gateway_url = Buffer.from(`https://selcom.example/${order.order_id}`).toString('base64');
  const data = [{ gateway_buyer_uuid: '', payment_token: newNumber(random, 8), qr: '000201', payment_gateway_url }];
  return (
    orderAnswers.shift() ?? {
      status: 200,
      body: { reference: newNumber(random, 10), resultcode: '000', result: 'SUCCESS', message: 'Order created', data },
    }
  );
}

async function takePayment(simulation: Simulation<Details>, { orders }: Memory, { body }: SimulatedRequest): Promise<Reply> {
  const parsed = paymentRequestSchema.safeParse(body);
  if (!parsed.success) return refuseParameter(parsed.error);
  const { order_id: reference, transid, msisdn: mobile } = parsed.data;
  const order = orders.get(reference);
  if (!order || order.isCancelled) return failure(200, '404', 'order not found', order && 'The order was cancelled');
  return simulation.take(
    { reference, id: newNumber(simulation.random, 10), mobile, amount: order.amount, details: { ...order, transid } },
    {
      accepted: ({ id }) => ({
        status: 200,
        body: { reference: id, transid, resultcode: '111', result: 'PENDING', message: 'Request in progress', data: [] },
      }),
      refused: (refusal) =>
        refusal === 'limit_exceeded' ? failure(200, '014', 'Amount too high') : failure(200, '010', 'Invalid mobile number'),
    },
  );
}

function cancelOrder({ record }: Simulation<Details>, { orders }: Memory, { query }: SimulatedRequest): Reply {
  const order = orders.get(query.order_id ?? '');
  if (!order) return failure(200, '404', 'order not found');
  if (record.findByReference(order.order_id))
    return failure(200, '403', 'order cannot be cancelled', 'A payment was requested for the order');
  order.isCancelled = true;
  return success('Order cancelled', []);
}

/** Lists the orders of a period. `fromdate` and `todate` are days such as `2026-11-26`. */
function listOrders({ record }: Simulation<Details>, { orders }: Memory, { query }: SimulatedRequest): Reply {
  const { fromdate = '', todate = '' } = query;
  const days = z.object({ fromdate: z.iso.date(), todate: z.iso.date() }).safeParse({ fromdate, todate });
  if (!days.success) return refuseParameter(days.error);
  const isInPeriod = ({ createdAt }: Order) => {
    const day = formatTimestamp(createdAt).slice(0, 10);
    return day >= fromdate && day <= todate;
  };
  return success(
    'Order fetch successful',
    [...orders.values()].filter(isInPeriod).map((order) => presentOrder(record, order)),
  );
}

function showOrder({ record }: Simulation<Details>, { orders }: Memory, { query }: SimulatedRequest): Reply {
  const order = orders.get(query.order_id ?? '');
  const payment = record.findByReference(query.order_id ?? '');
  if (!order || (payment && !record.query(payment)))
    return failure(200, '404', 'order not found', order && 'Status queries do not find a new payment at once');
  return success('Order fetch successful', [presentOrder(record, order)]);
}

function presentOrder(record: Simulation<Details>['record'], order: Order): object {
  const payment = record.findByReference(order.order_id);
  const ending = payment ? record.endingOf(payment) : null;
  const payment_status = order.isCancelled ? 'CANCELLED' : ending === null ? 'PENDING' : STATUSES[ending];
  const shown = { order_id: order.order_id, creation_date: formatTimestamp(order.createdAt), amount: String(order.amount), payment_status };
  return { ...shown, ...(payment && ending === 'paid' && paidBy(payment, payment.id)) };
}

function success(message: string, data: readonly object[]): Reply {
  return { status: 200, body: { reference: '', resultcode: '000', result: 'SUCCESS', message, data } };
}

function toWebhook(payment: Payment, reference: string) {
  const { amount, reference: order_id } = payment;
  const success = { result: 'SUCCESS', resultcode: '000', payment_status: 'COMPLETED' };
  return { order_id, ...success, amount: String(amount), ...paidBy(payment, reference) };
}

function paidBy({ mobile, details }: Payment, reference: string) {
  return { transid: details.transid, channel: 'MPESA-TZ', reference, phone: mobile };
}

function refuseParameter(error: z.ZodError): Reply {
  const message = `Parameter ${error.issues[0]?.path.join('.') || 'body'} is invalid or missing`;
  return failure(412, '412', message, describeIssues(error));
}

function newNumber(random: (bytes: number) => Uint8Array, digits: number): string {
  return [...random(digits)].map((byte) => byte % 10).join('');
}
