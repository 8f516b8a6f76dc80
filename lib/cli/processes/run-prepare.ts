import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { databaseProblem } from '@/lib/cli/deployment/open-database';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { ExpectedError } from '@/lib/platform/config/expected-error';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import { migrate } from '@/lib/platform/db/migrate';
import { readHold } from '@/lib/platform/hold/hold-store';
import { createLog } from '@/lib/platform/log/log';
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
  const secrets = await checkDeployment(settings);
  const log = createLog({ level: 'silent', format: 'json', process: 'start' });
  const runtime = buildRuntime({ settings, process: 'start', secrets, log });
  try {
    const demo = own ? await ensureDemo(runtime) : undefined;
    const hold = await readHold(runtime.db);
    return { demo: demo ?? null, onHoldSince: hold?.since.toISOString() ?? null };
  } finally {
    await runtime.db.close();
  }
}
