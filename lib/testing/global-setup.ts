import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '@/lib/db/embedded';
import { migrate } from '@/lib/db/migrate';

declare module 'vitest' {
  interface ProvidedContext {
    /** A role that may make databases. */
    superuserUrl: string;
    /** The application's role, on the migrated template; test databases are cloned from it. */
    templateUrl: string;
  }
}

/** One real PostgreSQL for the whole run, with one migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bili-test-'));
  const embedded = await startEmbedded({
    dataDir,
    databasePassword: 'test',
    superuserPassword: 'test',
    settings: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'],
  });
  const teardown = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(embedded.url);
  } catch (error) {
    // Vitest calls what a setup returns, and this one returns nothing.
    await teardown();
    throw error;
  }
  project.provide('superuserUrl', embedded.superuserUrl);
  project.provide('templateUrl', embedded.url);
  return teardown;
}
