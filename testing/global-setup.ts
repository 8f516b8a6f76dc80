import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { requireBuild } from '@/lib/cli/build/stamp.mjs';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { ownAsPostgres } from '@/lib/platform/db/postgres-binaries';
import { makeDatabaseFolder } from './database-folder';
import { testKinds } from './structure/test-kinds';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL for a role that can create databases. */
    superuserUrl: string;
    /** The URL of the migrated template database, for the role that owns its tables. Test databases are clones of the template. */
    ownerUrl: string;
    /** The same for the role of web and worker. */
    applicationUrl: string;
    /** The folder with the server's Unix socket. */
    socketFolder: string;
  }
}

/** Prepares a test run: requires a fresh build, and starts one real PostgreSQL with a migrated template database. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const kinds = testKinds();
  const needed = new Set(project.vitest.state.getPaths().map((path) => kinds.get(relative(PROJECT_ROOT, path).replaceAll('\\', '/'))));
  if (needed.has('product')) requireBuild();
  if (!needed.has('product') && !needed.has('database')) return undefined;
  const dataDir = await makeDatabaseFolder('bili-test-');
  const socketFolder = join(dataDir, 'socket');
  await mkdir(socketFolder);
  await ownAsPostgres(socketFolder);
  const embedded = await startEmbedded({
    dataDir,
    databasePassword: 'test',
    superuserPassword: 'test',
    settings: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', `unix_socket_directories=${socketFolder}`],
  });
  const teardown = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(embedded.ownerUrl, { applicationUrl: embedded.url });
  } catch (error) {
    // If the set-up throws, Vitest gets no tear-down function to call. So the tear-down runs here.
    await teardown();
    throw error;
  }
  project.provide('superuserUrl', embedded.superuserUrl);
  project.provide('ownerUrl', embedded.ownerUrl);
  project.provide('applicationUrl', embedded.url);
  project.provide('socketFolder', socketFolder);
  return teardown;
}
