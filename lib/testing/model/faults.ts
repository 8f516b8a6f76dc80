import type { Database, Queryable } from '@/lib/db/database';
import { DatabaseUnavailable } from '@/lib/db/errors';
import { Crash } from '../fakes/fake-adapter';

/**
 * What happens to one use case on its way through the database. `dies`: its process ends there. `fails`: one statement fails,
 * and later ones work. `commit_lost`: the change is committed, and the connection breaks before the answer comes.
 */
export const FAULTS = ['none', 'dies', 'fails', 'commit_lost'] as const;

export interface Fault {
  readonly kind: (typeof FAULTS)[number];
  /** At which statement or commit, from 0. */
  readonly at: number;
}

export const NO_FAULT: Fault = { kind: 'none', at: 0 };

/** The database failed here. */
export class DatabaseFault extends DatabaseUnavailable {
  constructor(when: 'before the statement' | 'after the commit') {
    super(new Error(`the connection was lost ${when}`));
  }
}

/** @returns the database as a use case sees it to which a fault happens. */
export function faultyDatabase(db: Database, { kind, at }: Fault): Database {
  if (kind === 'none') return db;
  let passed = 0;
  let happened = false;

  /** @returns whether the answer to what comes now gets lost. Throws when it does not even come to that. */
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

  /** Runs a transaction, and may lose the answer to its commit. */
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
    // Nothing that a history does with money goes through Prisma.
    prisma: db.prisma,
    async query(statement, values) {
      const lost = pass(true);
      const rows = await db.query<never>(statement, values);
      if (lost) throw new DatabaseFault('after the commit');
      return rows;
    },
    transaction: (work, options) => end((noteEnd) => db.transaction((tx) => noteEnd(work({ prisma: tx.prisma, ...within(tx) })), options)),
    sqlTransaction: (work, options) => end((noteEnd) => db.sqlTransaction((tx) => noteEnd(work(within(tx))), options)),
    askWithin: (limitMs, ask) => db.askWithin(limitMs, ask),
    close: () => db.close(),
  };
}
