import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { databaseProblem } from '@/lib/cli/deployment/open-database';
import { ExpectedError } from '@/lib/config/expected-error';
import type { ConnectedSettings } from '@/lib/config/settings';
import { migrate } from '@/lib/db/migrate';
import { createLog } from '@/lib/log/log';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { ensureDemo } from './demo';
import type { PrepareResult } from './prepare';

/** Does the work of the command `prepare`, and sends the result to the supervisor. */
export async function runPrepare(settings: ConnectedSettings, { own }: { readonly own: boolean }): Promise<void> {
  const result = await prepare(settings, own).catch((error: unknown): PrepareResult => {
    const expected = error instanceof ExpectedError ? error : databaseProblem(error);
    if (!expected) throw error;
    return { problem: expected.message };
  });
  await new Promise((resolve) => process.send?.(result, resolve) ?? resolve(false));
}

async function prepare(settings: ConnectedSettings, own: boolean): Promise<PrepareResult> {
  if (own) await migrate(settings.MIGRATE_DATABASE_URL ?? settings.DATABASE_URL, { applicationUrl: settings.DATABASE_URL });
  await checkDeployment(settings);
  if (!own) return { demo: null };
  const log = createLog({ level: 'silent', format: 'json', process: 'start' });
  const runtime = buildRuntime({ settings, process: 'start', log });
  try {
    return { demo: (await ensureDemo(runtime)) ?? null };
  } finally {
    await runtime.db.close();
  }
}
