import type { Reply } from '@/lib/providers/simulation/server';
import { describeIssues, type Simulation } from '@/lib/providers/simulation/simulation';
import { type DepositRequest, type RefundRequest, refundRequestSchema } from './wire';

/** How long a refund takes. */
const REFUND_MS = 2_000;

interface Refund extends RefundRequest {
  readonly takenAt: number;
}

/** Creates the refunds of a simulated pawaPay. A deposit has one refund at a time, and the sum of its refunds never exceeds the deposit. */
export function createRefunds({ record, clock, delayFactor }: Simulation<DepositRequest>) {
  const refunds = new Map<string, Refund>();
  const isDone = ({ takenAt }: Refund) => record.now() - takenAt >= REFUND_MS * delayFactor;
  const refundedOf = (depositId: string) =>
    [...refunds.values()].reduce((sum, refund) => (refund.depositId === depositId ? sum + Number(refund.amount) : sum), 0);

  return {
    ask(body: unknown): Reply {
      const parsed = refundRequestSchema.safeParse(body);
      if (!parsed.success) {
        const failureMessage = describeIssues(parsed.error);
        return { status: 400, body: { failureReason: { failureCode: 'INVALID_PARAMETER', failureMessage } }, why: failureMessage };
      }
      const { refundId, depositId, amount } = parsed.data;
      const answer = (status: string, failureCode?: string): Reply => ({
        status: 200,
        body: { refundId, status, created: clock(), ...(failureCode && { failureReason: { failureCode, failureMessage: failureCode } }) },
        ...(status !== 'ACCEPTED' && { why: failureCode ?? 'The refundId was used before' }),
      });
      if (refunds.has(refundId)) return answer('DUPLICATE_IGNORED');
      const deposit = record.findById(depositId);
      if (!deposit) return answer('REJECTED', 'NOT_FOUND');
      if (record.endingOf(deposit) !== 'paid') return answer('REJECTED', 'INVALID_STATE');
      if ([...refunds.values()].some((refund) => refund.depositId === depositId && !isDone(refund)))
        return answer('REJECTED', 'REFUND_IN_PROGRESS');
      const left = deposit.amount - refundedOf(depositId);
      if (left === 0) return answer('REJECTED', 'ALREADY_REFUNDED');
      if (Number(amount) > left) return answer('REJECTED', 'AMOUNT_TOO_LARGE');
      refunds.set(refundId, { ...parsed.data, takenAt: record.now() });
      return answer('ACCEPTED');
    },
    show(id: string): Reply {
      const refund = refunds.get(id);
      if (!refund) return { status: 200, body: { status: 'NOT_FOUND' }, why: 'There is no refund with this id' };
      const { takenAt, ...data } = refund;
      const status = isDone(refund) ? 'COMPLETED' : 'PROCESSING';
      return { status: 200, body: { status: 'FOUND', data: { ...data, status, created: new Date(takenAt) } } };
    },
  };
}
