import { afterAll, beforeAll } from 'vitest';
import { type Access, operatorAccess } from '@/lib/accounts/access/grant-access';
import type { BillExtras } from '@/lib/bills/bill-extras';
import type { BillInfo } from '@/lib/bills/bill-info';
import { createBill } from '@/lib/bills/create/create-bill';
import { operatorActor } from '@/lib/core/actor';
import { newId } from '@/lib/core/ids';
import type { Environment, Scope } from '@/lib/core/scope';
import { type Database, openDatabase } from '@/lib/db/database';
import { createKey } from '@/lib/keys/create-key';
import type { KeyPair } from '@/lib/keys/rules';
import { createLog } from '@/lib/log/log';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import type { Merchant } from '@/lib/merchants/store';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { connectedSettings } from '@/lib/processes/start-settings';
import { insertAccount } from '@/lib/providers/accounts/account-store';
import { encryptCredentials } from '@/lib/providers/accounts/accounts';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
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
  beforeAll(() => {
    // The second factor is not required in most tests. Tests about it use the default.
    const common = { NODE_ENV: 'test' as const, SECRET_KEY: TEST_SECRET_KEY, LOG_LEVEL: 'silent', REQUIRE_SECOND_FACTOR: 'off' };
    const urls = { DATABASE_URL: asApplication(url()), MIGRATE_DATABASE_URL: url() };
    const settings = connectedSettings({ ...common, ...urls, ...UNLIMITED, ...env });
    let shift = 0;
    const clock = () => new Date(Date.now() + shift);
    const built = buildRuntime({
      settings: { ...settings, DATABASE_URL: throughSocket(settings.DATABASE_URL) },
      process: 'test',
      log: createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, process: 'test' }),
    });
    runtime = {
      ...built,
      // These settings contain the TCP address of the database. Other processes of the test use this address, as in production. Only this
      // process uses the socket.
      settings,
      owner: openDatabase({ url: throughSocket(url()), poolSize: 4, applicationName: 'test', onError: () => undefined }),
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
  key(environment: Environment): Promise<KeyPair>;
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
    key: async (environment) => {
      const created = await createKey(runtime, operator(environment), { label: 'test' });
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
  readonly info?: BillInfo | null;
  readonly extras?: BillExtras | null;
}

/** Creates a bill as the API does, by default in the sandbox. Returns its id. */
export async function makeBill(
  runtime: Runtime,
  { scope }: TestMerchant,
  { amount = 5000.5, reference = 'ORDER-1', mobile = null, environment = 'sandbox', info = null, extras = null }: MakeBillOptions = {},
): Promise<string> {
  const bill = { ...newBill(runtime, { amount, reference, mobile }), info, extras };
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
