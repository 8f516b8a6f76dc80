import { recorder } from '@/lib/metrics/recorder';
import { verifyLedger } from '@/lib/payments/ledger/verify-ledger';
import type { Runtime } from '@/lib/runtime/runtime';

/**
 * Checks all sums of the ledger and records the result for the metrics. Logs each rule that the ledger breaks. Does nothing in a worker
 * that serves no metrics, because nobody would read the result.
 */
export async function checkLedger({ db, log, settings }: Pick<Runtime, 'db' | 'log' | 'settings'>): Promise<void> {
  if (settings.WORKER_METRICS_PORT === undefined) return;
  const started = performance.now();
  const broken = (await verifyLedger(db)).filter(({ count }) => count > 0);
  for (const { name, count, first } of broken) log.error({ rule: name, count, first }, 'the ledger breaks a rule; see: bili doctor');
  recorder()?.ledgerChecked(broken.length, performance.now() - started);
}
