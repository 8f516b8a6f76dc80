import { afterAll, beforeAll } from 'vitest';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import type { FullInfo } from '@/lib/gateway/bills/bill-info';
import { createBill } from '@/lib/gateway/bills/create/create-bill';
import { type Access, operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { type KeyScope, USUAL_KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { createKey, NO_LIMITS } from '@/lib/identity/keys/change-keys';
import type { KeyPair } from '@/lib/identity/keys/rules';
import type { Merchant } from '@/lib/identity/merchants/store';
import { operatorActor } from '@/lib/platform/core/actor';
import { newId } from '@/lib/platform/core/ids';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import { type Database, openDatabase } from '@/lib/platform/db/database';
import { openSecrets } from '@/lib/platform/keys/open-secrets';
import { createLog } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { encryptCredentials, insertAccount } from '@/lib/providers/accounts/account-store';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import { newBill } from './data/new-bill';
import { asApplication, testDatabase, throughSocket } from './database';
import { UNLIMITED } from './unlimited';

export const TEST_SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

export interface TestRuntime extends Runtime {
  /** Contains all providers. The simulated provider cannot be called, because it has no address. */
  readonly providers: ProviderRegistry;
  /** The database for the role that owns the tables. `db` has the role of web and worker, which may not change tables. */
  readonly owner: Database;
  /** Moves the clock, which starts at the real time. */
  advance(ms: number): void;
}

/** Creates a test file's runtime with its own database. @param env additional settings. @returns a function that gives the runtime. */
export function testRuntime(env: Readonly<Record<string, string>> = {}): () => TestRuntime {
  const url = testDatabase();
  let runtime: TestRuntime | undefined;
  beforeAll(async () => {
    // The second factor is not required in most tests. Tests about it use the default.
    const common = { NODE_ENV: 'test' as const, SECRET_KEY: TEST_SECRET_KEY, LOG_LEVEL: 'silent', REQUIRE_SECOND_FACTOR: 'off' };
    const urls = { DATABASE_URL: asApplication(url()), MIGRATE_DATABASE_URL: url() };
    const settings = connectedSettings({ ...common, ...urls, ...UNLIMITED, ...env });
    let shift = 0;
    const clock = () => new Date(Date.now() + shift);
    const owner = openDatabase({ url: throughSocket(url()), poolSize: 4, applicationName: 'test', onError: () => undefined });
    const built = buildRuntime({
      settings: { ...settings, DATABASE_URL: throughSocket(settings.DATABASE_URL) },
      process: 'test',
      secrets: await openSecrets(owner, settings),
      log: createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, process: 'test' }),
    });
    runtime = {
      ...built,
      // These settings contain the TCP address of the database. Other processes of the test use this address, as in production. Only this
      // process uses the socket.
      settings,
      owner,
      providers: createRegistry(built, null),
      clock,
      // The clock of a test stays where the test moves it.
      machineClock: { read: clock, trust: () => undefined },
      advance(ms) {
        shift += ms;
      },
    };
  });
  afterAll(async () => {
    await runtime?.db.close();
    await runtime?.owner.close();
  });
  return () => {
    if (!runtime) throw new Error('the runtime is there once the tests run');
    return runtime;
  };
}

export interface TestMerchant {
  readonly merchant: Merchant;
  readonly password: string | null;
  readonly email: string;
  scope(environment: Environment): Scope;
  /** The operator's access to the merchant. */
  operator(environment: Environment): Access;
  /** Creates an API key, by default with the scopes of a key for which nobody has chosen others. */
  key(environment: Environment, scopes?: readonly KeyScope[]): Promise<KeyPair>;
}

/** The operator in tests. */
export const TEST_OPERATOR = operatorActor('test');

let made = 0;

/** Creates a merchant that is active in both environments. */
export async function makeMerchant(runtime: Runtime, name = 'Duka'): Promise<TestMerchant> {
  made += 1;
  const email = `owner-${process.pid}-${made}@example.com`;
  const created = await createMerchant(runtime, { name, email, live: 'active' });
  if (!created.ok) throw new Error(created.error);
  const { merchant, password } = created.value;
  // As if the owner had chosen the password, because tests move the clock by weeks.
  await runtime.db.prisma.user.updateMany({ where: { email }, data: { passwordExpiresAt: null } });
  const scope = (environment: Environment): Scope => ({ merchantId: merchant.id, environment });
  const operator = (environment: Environment) => operatorAccess(TEST_OPERATOR, scope(environment));
  return {
    merchant,
    password,
    email,
    scope,
    operator,
    key: async (environment, scopes = USUAL_KEY_SCOPES) => {
      const limits = { ...NO_LIMITS, scopes };
      const created = await createKey(runtime, operator(environment), { label: 'test', limits });
      if (!created.ok) throw new Error(created.error);
      return created.value;
    },
  };
}

interface MakeBillOptions {
  readonly amount?: number;
  readonly reference?: string;
  readonly mobile?: string | null;
  readonly environment?: Environment;
  readonly info?: Partial<FullInfo> | null;
}

/** Creates a bill as the API does, by default in the sandbox. Returns its id. */
export async function makeBill(
  runtime: Runtime,
  { scope }: TestMerchant,
  { amount = 5000.5, reference = 'ORDER-1', mobile = null, environment = 'sandbox', info = null }: MakeBillOptions = {},
): Promise<string> {
  const bill = { ...newBill(runtime, { amount, reference, mobile }), info };
  const options = { scope: scope(environment), bill, createdBy: 'test', uniqueReferences: false, idempotencyKey: null };
  const created = await createBill(runtime, options);
  if (!created.ok) throw new Error(created.error.code);
  return created.value.bill.id;
}

/** Creates a provider account that belongs to no merchant, and returns it as adapters need it. */
export async function makeAccount(
  runtime: Runtime,
  { provider, credentials, callbackUrl }: Pick<ProviderAccount, 'provider' | 'callbackUrl'> & { readonly credentials: string },
): Promise<ProviderAccount> {
  const account = { id: newId(runtime), environment: 'sandbox', provider, networks: [] } as const;
  const encryptedCredentials = encryptCredentials(runtime, account.id, credentials);
  await insertAccount(runtime.db, { ...account, encryptedCredentials, merchantId: null, label: provider, createdAt: runtime.clock() });
  return { ...account, credentials, callbackUrl };
}
