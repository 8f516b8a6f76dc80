import type { WorkerRuntime } from '@/lib/payments/attempts/call-provider';
import { findPaymentById } from '@/lib/payments/ledger/payment-store';
import type { UnhandledMessage } from '@/lib/payments/messages/unhandled-store';
import { findRequest } from '@/lib/payments/reversals/requests/store';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import { applyReversalOutcome } from './apply-reversal-outcome';
import { describeReversal } from './describe-reversal';

/** Applies a stored answer about a reversal, because the worker that received it did not. Uses the fencing token of that worker. */
export async function applyReversalMessage(
  runtime: WorkerRuntime,
  message: UnhandledMessage & { readonly kind: 'reversal' | 'reversal_status' },
  { name, reversals, capabilities }: ProviderAdapter,
): Promise<void> {
  const { kind, reversalRequestId, leaseToken } = message;
  // An older version of Bili stored messages without the id of the request. A status query follows when the lease of the request expires.
  if (reversalRequestId === null || leaseToken === null) return;
  if (!reversals) throw new Error(`the provider ${name} does not support reversals in this version`);
  const request = await findRequest(runtime.db, reversalRequestId);
  const payment = request && (await findPaymentById(runtime.db, request.paymentId));
  if (!request || !payment) throw new Error(`reversal ${reversalRequestId} does not exist`);
  const isStatus = kind === 'reversal_status';
  const claimed = { ...request, leaseToken, previousState: isStatus ? 'UNKNOWN' : 'QUEUED' } as const;
  const outcome = reversals[isStatus ? 'readStatus' : 'readAnswer'](message, await describeReversal(runtime.db, request, payment));
  await applyReversalOutcome(runtime, claimed, payment, outcome, capabilities);
}
