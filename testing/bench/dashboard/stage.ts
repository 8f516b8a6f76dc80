import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { rollUpDays } from '@/lib/backoffice/overview/roll-up-days';
import { indexSearch } from '@/lib/backoffice/search/index-search';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { sessionCookie } from '@/lib/entry/server/auth';
import { grantAccess, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { storeSecrets } from '@/lib/platform/config/data-dir';
import { startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { createLog } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { makeSession } from '@/testing/data/access';
import { freePorts } from '@/testing/free-ports';
import { UNLIMITED } from '@/testing/unlimited';
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
  /** The address of the environment's pages, and the cookie of the owner's session. */
  readonly root: string;
  readonly cookie: { readonly name: string; readonly value: string };
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
  const settings = connectedSettings({ ...process.env, ...env });
  const runtime = buildRuntime({ settings, process: 'bench', secrets: await checkDeployment(settings), log });
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
      const root = `http://localhost:${port}/m/${slug}/sandbox`;
      return {
        access: access.value,
        root,
        cookie: { name: cookieName, value },
        async open(page) {
          const answer = await fetch(`${root}/${page}`, { headers: { cookie: `${cookieName}=${value}` }, redirect: 'manual' });
          await answer.arrayBuffer();
          if (answer.status !== 200 && !answer.headers.get('location')?.includes(`/sandbox/bills/`)) {
            throw new Error(`${page} answered ${answer.status} ${answer.headers.get('location') ?? ''}`);
          }
        },
      };
    },
  };
}
