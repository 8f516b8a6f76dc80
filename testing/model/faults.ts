import type { Database, Queryable } from '@/lib/platform/db/database';
import { DatabaseUnavailable } from '@/lib/platform/db/errors';
import { Crash } from '../fakes/fake-adapter';

/**
 * A fault during one use case. `dies`: the process ends. `fails`: one statement fails, and later ones work. `commit_lost`: the commit
 * succeeds, but the connection breaks before the answer arrives.
 */
export const FAULTS = ['none', 'dies', 'fails', 'commit_lost'] as const;

export interface Fault {
  readonly kind: (typeof FAULTS)[number];
  /** The number of the affected statement or commit, from 0. */
  readonly at: number;
}

export const NO_FAULT: Fault = { kind: 'none', at: 0 };

/** Thrown by the statement or commit at which the fault happens. */
export class DatabaseFault extends DatabaseUnavailable {
  constructor(when: 'before the statement' | 'after the commit') {
    super(new Error(`the connection was lost ${when}`));
  }
}

/** Returns a database in which the fault happens. */
export function faultyDatabase(db: Database, { kind, at }: Fault): Database {
  if (kind === 'none') return db;
  let passed = 0;
  let happened = false;

  /** Returns whether the answer to the next statement is lost. Throws if the statement does not run at all. */
  function pass(commits: boolean): boolean {
    if (happened && kind === 'dies') throw new Crash();
    const happens = !happened && passed >= at && (commits || kind !== 'commit_lost');
    passed += 1;
    happened ||= happens;
    if (happens && kind === 'dies') throw new Crash();
    if (happens && kind === 'fails') throw new DatabaseFault('before the statement');
    return happens;
  }

  const within = (tx: Queryable): Queryable => ({
    query(statement, values) {
      pass(false);
      return tx.query(statement, values);
    },
  });

  /** Runs a transaction. Throws if the answer to its commit is lost. */
  async function end<Value>(run: (noteEnd: (work: Promise<Value>) => Promise<Value>) => Promise<Value>): Promise<Value> {
    let lost = false;
    const value = await run(async (work) => {
      const done = await work;
      lost = pass(true);
      return done;
    });
    if (lost) throw new DatabaseFault('after the commit');
    return value;
  }

  return {
    // Calls through Prisma get no faults, because the use cases of this test write money only with SQL statements.
    prisma: db.prisma,
    async query(statement, values) {
      const lost = pass(true);
      const rows = await db.query<never>(statement, values);
      if (lost) throw new DatabaseFault('after the commit');
      return rows;
    },
    transaction: (work, options) => end((noteEnd) => db.transaction((tx) => noteEnd(work({ prisma: tx.prisma, ...within(tx) })), options)),
    sqlTransaction: (work, options) => end((noteEnd) => db.sqlTransaction((tx) => noteEnd(work(within(tx))), options)),
    runWithin: (limitMs, work) => db.runWithin(limitMs, work),
    connections: () => db.connections(),
    close: () => db.close(),
  };
}
