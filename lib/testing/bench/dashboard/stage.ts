import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantAccess, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { indexSearch } from '@/lib/bills/search/index-search';
import { storeSecrets } from '@/lib/config/data-dir';
import { startEmbedded } from '@/lib/db/embedded';
import { migrate } from '@/lib/db/migrate';
import { seedBills } from '@/lib/demo/seed-bills';
import { createLog } from '@/lib/log/log';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import { rollUpDays } from '@/lib/overview/roll-up-days';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { connectedSettings } from '@/lib/processes/start-settings';
import type { Runtime } from '@/lib/runtime/runtime';
import { sessionCookie } from '@/lib/server/auth';
import { makeSession } from '@/lib/testing/data/access';
import { freePorts } from '@/lib/testing/free-ports';
import { UNLIMITED } from '@/lib/testing/unlimited';
import type { Undo } from '../run-bench';
import { startProcess } from '../servers';
import { setAddress, tidyDeliveries, varyDeliveries } from './vary-deliveries';

/** A database with a web process for the benchmark. */
export interface Stage {
  readonly runtime: Runtime;
  /** Creates a merchant with this number of bills, and signs its owner in. */
  shop(name: string, bills: number): Promise<Shop>;
}

export interface Shop {
  readonly access: MerchantAccess;
  /**
   * Opens a dashboard page, signed in as the owner. Resolves when the page is complete. Throws if the page does not exist.
   * @param page the part of the path after the environment.
   */
  open(page: string): Promise<void>;
}

export async function startStage(undo: Undo): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'bili-bench-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const secrets = await storeSecrets(folder, undefined);
  const embedded = await startEmbedded({ dataDir: folder, ...secrets });
  undo.push(() => embedded.stop());
  await migrate(embedded.ownerUrl);
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  const env = {
    ...UNLIMITED,
    DATABASE_URL: embedded.ownerUrl,
    SECRET_KEY: secrets.secretKey,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
  };
  const log = createLog({ level: 'silent', format: 'json', process: 'bench' });
  const runtime = buildRuntime({ settings: connectedSettings({ ...process.env, ...env }), process: 'bench', log });
  undo.push(() => runtime.db.close());
  const web = await startProcess({ name: 'web', program: 'bili.mjs', args: ['web'], env, logFolder: folder });
  undo.push(() => web.stop());

  return {
    runtime,
    async shop(name, bills) {
      const email = `${name}@example.com`;
      const created = await createMerchant(runtime, { name, email, live: 'pending' });
      if (!created.ok) throw new Error(created.error);
      const { id: merchantId, slug } = created.value.merchant;
      const scope = { merchantId, environment: 'sandbox' } as const;
      await setAddress(runtime.db, merchantId);
      await seedBills(runtime, {
        scope,
        uniqueReferences: false,
        bills,
        onProgress: () => undefined,
      });
      await runtime.db.transaction((tx) => varyDeliveries(tx, scope), { unlimited: true });
      await tidyDeliveries(runtime.db);
      // No worker runs here, so the benchmark itself computes the daily totals and the search index.
      await rollUpDays(runtime);
      while (await indexSearch(runtime));
      const token = await makeSession(runtime, email);
      const access = await grantAccess(runtime, { token, merchant: slug, environment: 'sandbox' });
      if (!access.ok) throw new Error(access.error);
      const { name: cookieName, value } = await sessionCookie(runtime, token);
      const cookie = `${cookieName}=${value}`;
      return {
        access: access.value,
        async open(page) {
          const answer = await fetch(`http://localhost:${port}/m/${slug}/sandbox/${page}`, { headers: { cookie }, redirect: 'manual' });
          await answer.arrayBuffer();
          if (answer.status !== 200 && !answer.headers.get('location')?.includes(`/sandbox/bills/`)) {
            throw new Error(`${page} answered ${answer.status} ${answer.headers.get('location') ?? ''}`);
          }
        },
      };
    },
  };
}
