import { fork } from 'node:child_process';
import { z } from 'zod';
import { StartError } from '@/lib/entry/processes/start-settings';
import type { ConnectedSettings } from '@/lib/platform/config/settings';

const credentials = z.object({
  sandbox: z.object({
    baseUrl: z.string(),
    apiKey: z.string(),
    apiSecret: z.string(),
    webhookSecret: z.string(),
    phones: z.string().nullable(),
  }),
  dashboard: z.object({ url: z.string(), email: z.string(), password: z.string() }),
});
const preparedSchema = z.object({
  demo: credentials.nullable(),
  /** Since when the copy of the database is on hold; null if it is not. */
  onHoldSince: z.string().nullable(),
});
const resultSchema = z.union([preparedSchema, z.object({ problem: z.string() })]);
export type PrepareResult = z.infer<typeof resultSchema>;

/**
 * Prepares the database in a child process that ends afterwards. The preparation loads most of the program. In the supervisor, the program
 * would stay in memory for as long as the supervisor runs. Returns the credentials of the demo merchant, and the hold. Throws a
 * StartError if the database cannot be used.
 * @param own true for the embedded database: its tables and a demo merchant are created. Any other database is only checked.
 */
export async function prepareDatabase(
  settings: ConnectedSettings,
  { own }: { readonly own: boolean },
): Promise<z.infer<typeof preparedSchema>> {
  const [, program = ''] = process.argv;
  const { DATABASE_URL, MIGRATE_DATABASE_URL, SECRET_KEY, SECRET_KEY_OTHER } = settings;
  const env = { ...process.env, DATABASE_URL, MIGRATE_DATABASE_URL, SECRET_KEY, SECRET_KEY_OTHER };
  const child = fork(program, ['prepare', ...(own ? ['--own'] : [])], { env });
  const result = await new Promise<PrepareResult>((resolve, reject) => {
    child.once('message', (message) => resolve(resultSchema.parse(message)));
    child.once('error', reject);
    child.once('exit', () => reject(new StartError('The database could not be prepared.')));
  });
  if ('problem' in result) throw new StartError(result.problem);
  return result;
}
