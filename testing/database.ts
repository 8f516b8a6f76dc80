import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';

/**
 * Clones a template database for a test file, and drops it afterwards. Returns a function that gives its URL for the role that owns the
 * tables.
 * @param template `bili` has all migrations, `template0` is empty.
 */
export function testDatabase(template: 'bili' | 'template0' = 'bili'): () => string {
  const name = `test_${randomBytes(6).toString('hex')}`;
  beforeAll(() => asSuperuser(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER bili_owner STRATEGY file_copy`));
  afterAll(() => asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`));
  return () => {
    const url = new URL(inject('ownerUrl'));
    url.pathname = `/${name}`;
    return url.href;
  };
}

/** Returns the URL of the same database for the role of web and worker. */
export function asApplication(ownerUrl: string): string {
  const url = new URL(inject('applicationUrl'));
  url.pathname = new URL(ownerUrl).pathname;
  return url.href;
}

/**
 * Returns the URL of the same database through the server's Unix socket. A statement through it needs a fifth less processor time than
 * through TCP.
 */
export function throughSocket(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set('host', inject('socketFolder'));
  return changed.href;
}

async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
