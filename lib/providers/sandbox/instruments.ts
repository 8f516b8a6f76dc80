import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/platform/core/money';
import { NETWORKS } from '@/lib/platform/core/network';
import type { InstrumentOffer, InstrumentStatus, Instruments, IssueOutcome } from '@/lib/providers/port/instrument';
import type { RawAnswer } from '@/lib/providers/port/port';
import { isSuccess, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { WALLET_LIMIT_SHILLINGS } from '@/lib/providers/scenarios/scenarios';
import { ORDER_MAX_SHILLINGS } from './outcomes';
import { answerSchema, instrumentReportSchema, instrumentSchema, type NewSandboxInstrument, type SandboxInstrumentReport } from './wire';

/** An order asks for usual amounts, and a control number for higher ones, so that developers can try both. */
const OFFERS: readonly InstrumentOffer[] = [
  {
    kind: 'order',
    ways: ['number', 'qr', 'link'],
    networks: NETWORKS,
    minAmount: SENTI_PER_SHILLING,
    maxAmount: BigInt(ORDER_MAX_SHILLINGS) * SENTI_PER_SHILLING,
    takes: 'exact',
  },
  {
    kind: 'control_number',
    ways: ['number'],
    networks: NETWORKS,
    minAmount: SENTI_PER_SHILLING,
    maxAmount: 100n * BigInt(WALLET_LIMIT_SHILLINGS) * SENTI_PER_SHILLING,
    takes: 'open',
  },
];

type Call = (
  method: 'GET' | 'POST',
  path: string,
  signal: AbortSignal,
  body?: NewSandboxInstrument | { readonly amount: number },
) => Promise<RawAnswer>;

/** Creates the part of the simulated provider's adapter that issues payment instruments. @param call calls a path below `/v1/instruments`. */
export function createSandboxInstruments(call: Call): Instruments {
  return {
    offers: OFFERS,
    offeredBy: () => true,
    send: async ({ callbackUrl }, { reference, kind, amount, merchantId }, signal) => {
      const request = instrumentSchema.safeParse({ reference, kind, amount: Number(toWholeShillings(amount)), callbackUrl, merchantId });
      return request.success ? call('POST', '', signal, request.data) : notSent('the simulated provider does not issue this instrument');
    },
    readAnswer(answer) {
      if (answer.lost) return { kind: answer.lost };
      const report = readReport(answer);
      if (report) return toIssued(report);
      const status = answerSchema.safeParse(parseJson(answer.body)).data?.status;
      if (status === 'REFUSED') return { kind: 'refused', reason: 'rejected' };
      return status === 'UNAVAILABLE' ? { kind: 'not_sent' } : { kind: 'unknown' };
    },
    query: (_account, { reference }, signal) => call('GET', `/${reference}`, signal),
    readStatus,
    cancel: {
      send: (_account, { reference }, signal) => call('POST', `/${reference}/cancel`, signal),
      readAnswer: readChange,
    },
    changeAmount: {
      send: (_account, { reference, amount }, signal) =>
        call('POST', `/${reference}/amount`, signal, { amount: Number(toWholeShillings(amount)) }),
      readAnswer: readChange,
    },
  };
}

function readReport(answer: RawAnswer): SandboxInstrumentReport | undefined {
  return isSuccess(answer) ? instrumentReportSchema.safeParse(parseJson(answer.body)).data : undefined;
}

function toIssued({ number, qr, link, expiresAt }: SandboxInstrumentReport): Extract<IssueOutcome, { kind: 'issued' }> {
  const ways = { number, qr, link };
  return { kind: 'issued', ways, providerReference: null, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

function readStatus(answer: RawAnswer): InstrumentStatus {
  if (answer.lost) return { kind: 'unknown' };
  if (answerSchema.safeParse(parseJson(answer.body)).data?.status === 'NOT_FOUND') return { kind: 'not_found' };
  const report = readReport(answer);
  if (!report) return { kind: 'unknown' };
  const payments = report.payments.map(({ receipt, amount, paidAt }) => ({
    kind: 'paid' as const,
    transactionId: receipt,
    amount: BigInt(amount) * SENTI_PER_SHILLING,
    happenedAt: new Date(paidAt),
  }));
  return report.status === 'OPEN' ? { kind: 'open', payments, issued: toIssued(report) } : { kind: 'ended', payments };
}

function readChange(answer: RawAnswer): 'done' | 'refused' | 'unknown' {
  if (answer.lost) return 'unknown';
  const status = answerSchema.safeParse(parseJson(answer.body)).data?.status;
  return status === 'ACCEPTED' && isSuccess(answer) ? 'done' : status === 'REFUSED' ? 'refused' : 'unknown';
}
