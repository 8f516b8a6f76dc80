import type { WorkerRuntime } from '@/lib/payments/attempts/work-attempt';
import { findPaymentById } from '@/lib/payments/ledger/payment-store';
import type { UnhandledMessage } from '@/lib/payments/messages/unhandled-store';
import { findRequest } from '@/lib/payments/reversals/requests/store';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import { applyReversalOutcome } from './apply-reversal-outcome';

/** Applies a stored answer about a reversal that the worker which asked has not applied. Under its lease, as that would have done. */
export async function applyReversalMessage(
  runtime: WorkerRuntime,
  message: UnhandledMessage & { readonly kind: 'reversal' | 'reversal_status' },
  { name, reversals, capabilities }: ProviderAdapter,
): Promise<void> {
  const { kind, reversalRequestId, leaseToken } = message;
  // Stored by a version that did not say what it is about: the request is asked about when its lease has run out.
  if (reversalRequestId === null || leaseToken === null) return;
  if (!reversals) throw new Error(`${name} has no reversals in this version`);
  const request = await findRequest(runtime.db, reversalRequestId);
  const payment = request && (await findPaymentById(runtime.db, request.paymentId));
  if (!request || !payment) throw new Error(`reversal ${reversalRequestId} does not exist`);
  const asked = kind === 'reversal_status';
  const claimed = { ...request, leaseToken, previousState: asked ? 'UNKNOWN' : 'QUEUED' } as const;
  await applyReversalOutcome(runtime, claimed, payment, reversals[asked ? 'readStatus' : 'readAnswer'](message), capabilities);
}
