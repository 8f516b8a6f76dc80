import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { WEB_NODE_OPTIONS, WORKER_NODE_OPTIONS } from '@/lib/cli/processes/supervise';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { storeSecrets } from '@/lib/platform/config/data-dir';
import { startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { createLog } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { makeCertificate } from '@/testing/fakes/certificate';
import { freePorts } from '@/testing/free-ports';
import type { Undo } from '../run-bench';
import { type Running, startProcess } from '../servers';
import type { SinkReport } from './sink';

/** The benchmark's own PostgreSQL server. */
export interface Stage {
  readonly postmaster: number;
  /** Creates a database as a copy of the database `template`, or, without `template`, as a copy of an empty migrated database. */
  database(name: string, template?: string): Promise<BenchDatabase>;
  /** Starts a receiver in its own process. */
  startSink(): Promise<Sink>;
  /** Starts another program of the benchmark. */
  startProgram(name: string, env: Readonly<Record<string, string>>): Promise<Running>;
}

export interface BenchDatabase {
  readonly runtime: Runtime;
  /** Starts a worker of the built product on this database. */
  startWorker(): Promise<Running>;
  /** Starts a web process of the built product on this database. */
  startWeb(env?: Readonly<Record<string, string>>): Promise<WebUrls & Running>;
  /** Closes the benchmark's own connections to the database, so that the database can be copied. */
  close(): Promise<void>;
}

export interface WebUrls {
  readonly liveUrl: string;
  readonly sandboxUrl: string;
}

export interface Sink extends Running {
  readonly url: string;
  /** The https address of the same receiver. Workers trust its certificate. */
  readonly secureUrl: string;
  report(whole?: 'with arrivals'): Promise<SinkReport>;
}

/** Starts a PostgreSQL server in its own folder, which is removed at the end. @param settings settings for all processes. */
export async function startStage(undo: Undo, settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'bili-bench-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const secrets = await storeSecrets(folder, undefined);
  const embedded = await startEmbedded({ dataDir: folder, ...secrets });
  undo.push(() => embedded.stop());
  await migrate(embedded.ownerUrl);
  const log = createLog({ level: 'silent', format: 'json', process: 'bench' });
  const authority = makeCertificate({ name: 'Benchmark Root' });
  const certificate = makeCertificate({ name: 'localhost', issuer: authority });
  const trusted = join(folder, 'authority.pem');
  await writeFile(trusted, authority.cert);
  let workers = 0;
  const start = async (options: Omit<Parameters<typeof startProcess>[0], 'logFolder'>): Promise<Running> => {
    const running = await startProcess({ ...options, logFolder: folder });
    undo.push(() => running.stop());
    return running;
  };

  return {
    postmaster: Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10),
    async database(name, template = 'bili') {
      await asSuperuser(embedded.superuserUrl, `CREATE DATABASE ${name} TEMPLATE ${template} OWNER bili_owner STRATEGY file_copy`);
      const url = new URL(embedded.ownerUrl);
      url.pathname = `/${name}`;
      const env = { DATABASE_URL: url.href, SECRET_KEY: secrets.secretKey, DATA_DIR: folder, ...settings };
      const connected = connectedSettings({ NODE_ENV: 'production', ...env });
      const runtime = buildRuntime({ settings: connected, process: 'bench', secrets: await checkDeployment(connected), log });
      undo.push(() => runtime.db.close());
      return {
        runtime,
        close: () => runtime.db.close(),
        async startWorker() {
          workers += 1;
          const worker = { program: 'bili.mjs', args: ['worker'], nodeOptions: WORKER_NODE_OPTIONS };
          return start({ ...worker, name: `worker-${workers}`, env: { ...env, NODE_EXTRA_CA_CERTS: trusted } });
        },
        async startWeb(more = {}) {
          const [port = 0, sandboxPort = 0] = await freePorts(2);
          const ports = { HOST: '127.0.0.1', PORT: String(port), SANDBOX_PORT: String(sandboxPort) };
          const web = { name: 'web', program: 'bili.mjs', args: ['web'], nodeOptions: WEB_NODE_OPTIONS };
          const running = await start({ ...web, env: { ...env, ...ports, ...more } });
          return { ...running, liveUrl: `http://127.0.0.1:${port}`, sandboxUrl: `http://127.0.0.1:${sandboxPort}` };
        },
      };
    },
    startProgram: (name, env) => start({ name, program: `bench/${name}.mjs`, args: [], env }),
    async startSink() {
      const [port = 0, securePort = 0] = await freePorts(2);
      const url = `http://127.0.0.1:${port}`;
      const secureUrl = `https://localhost:${securePort}`;
      const ports = { PORT: String(port), SECURE_PORT: String(securePort) };
      const sink = { name: 'sink', program: 'bench/webhook-sink.mjs', args: [] };
      const running = await start({ ...sink, env: { ...ports, CERTIFICATE: certificate.cert, KEY: certificate.key } });
      return { ...running, url, secureUrl, report: async (whole) => (await fetch(`${url}/${whole ? 'arrivals' : ''}`)).json() };
    },
  };
}

async function asSuperuser(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
