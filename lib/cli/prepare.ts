import { fork } from 'node:child_process';
import { z } from 'zod';
import type { ConnectedSettings } from '@/lib/config/settings';
import { StartError } from '@/lib/processes/start-settings';
import type { DemoCredentials } from './welcome';

/** How the database is prepared before the processes start. */
interface Preparation {
  /** True for the embedded database: its tables and a demo merchant are created. False for any other database: it is only checked. */
  readonly own: boolean;
}

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
const resultSchema = z.union([z.object({ demo: credentials.nullable() }), z.object({ problem: z.string() })]);
export type PrepareResult = z.infer<typeof resultSchema>;

/**
 * Prepares the database in a child process that ends afterwards. The preparation loads most of the program. In the supervisor, the program
 * would stay in memory for as long as the supervisor runs. Returns the credentials of the demo merchant. Throws a StartError if the
 * database cannot be used.
 */
export async function prepareDatabase(settings: ConnectedSettings, { own }: Preparation): Promise<DemoCredentials | undefined> {
  const [, program = ''] = process.argv;
  const { DATABASE_URL, MIGRATE_DATABASE_URL, SECRET_KEY } = settings;
  const env = { ...process.env, DATABASE_URL, MIGRATE_DATABASE_URL, SECRET_KEY };
  const child = fork(program, ['prepare', ...(own ? ['--own'] : [])], { env });
  const result = await new Promise<PrepareResult>((resolve, reject) => {
    child.once('message', (message) => resolve(resultSchema.parse(message)));
    child.once('error', reject);
    child.once('exit', () => reject(new StartError('The database could not be prepared.')));
  });
  if ('problem' in result) throw new StartError(result.problem);
  return result.demo ?? undefined;
}
