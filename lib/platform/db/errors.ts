import pg from 'pg';

/** The web process consists of two bundles with separate copies of this class. So the error is recognised by its name, not by its class. */
const UNAVAILABLE = 'DatabaseUnavailable';

/**
 * The database cannot be used now: it is unreachable, read-only or shutting down, has no connection left, or did not answer in
 * time. Only the pool and its sessions throw it, so an error of another socket is never mistaken for it.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = UNAVAILABLE;

  constructor(cause: unknown) {
    super(`The database is unavailable: ${sentenceOf(cause)}`, { cause });
  }
}

/** The web process consists of two bundles with separate copies of this class. So the error is recognised by its name, not by its class. */
const FAILED = 'StatementFailed';

/** PostgreSQL refused a statement of Prisma. {@link postgresError} returns the reason. */
export class StatementFailed extends Error {
  override readonly name = FAILED;

  constructor(cause: pg.DatabaseError) {
    super(cause.message, { cause });
  }
}

/** Returns PostgreSQL's message with the SQLSTATE, or the message of any other error. */
export function sentenceOf(error: unknown): string {
  const raised = raisedByPostgres(error);
  if (raised) return `${raised.message} (SQLSTATE ${raised.code})`;
  if (isDatabaseUnavailable(error)) return sentenceOf(error.cause);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Returns the SQLSTATE and constraint of an error of PostgreSQL, or undefined for any other error. */
export function postgresError(error: unknown): { code: string; constraint: string | undefined } | undefined {
  const raised = raisedByPostgres(error);
  return raised?.code ? { code: raised.code, constraint: raised.constraint } : undefined;
}

function raisedByPostgres(error: unknown): pg.DatabaseError | undefined {
  const raised = isDatabaseUnavailable(error) || (error instanceof Error && error.name === FAILED) ? error.cause : error;
  return raised instanceof pg.DatabaseError ? raised : undefined;
}

/** Returns whether the error is temporary: the database was unavailable or too busy. */
export function isDatabaseUnavailable(error: unknown): error is Error {
  return error instanceof Error && error.name === UNAVAILABLE;
}

/** Returns whether no server answered. False if a server answered with an error. */
export function isUnreachable(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return isUnreachable(error.cause);
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  return error instanceof Error && ('syscall' in error || /timeout|terminated|in time$/.test(error.message));
}

/** Returns whether the server, the database or the role has no connection left (too_many_connections). */
export function isTooManyConnections(error: unknown): boolean {
  return postgresError(error)?.code === '53300';
}

/**
 * lock_not_available, query_canceled (a time limit), serialization_failure, deadlock_detected. The session can still be used.
 */
const BUSY_CODES = new Set(['55P03', '57014', '40001', '40P01']);
// read_only_sql_transaction, idle_in_transaction_session_timeout, io_error; classes 08 (connection), 53 (resources), 57 (operator).
const LOST_CODES = /^(25006|25P03|58030|08|53|57)/;

/** Returns whether a statement failed because of locks or time limits, while the database works. */
export function isBusy(error: unknown): boolean {
  return BUSY_CODES.has(postgresError(error)?.code ?? '');
}

/** Classifies an error of a session. `lost`: the session must not be used again. */
export function classify(error: unknown): 'lost' | 'busy' | 'other' {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error;
    if (BUSY_CODES.has(code)) return 'busy';
    return LOST_CODES.test(code) ? 'lost' : 'other';
  }
  if (!(error instanceof Error)) return 'other';
  const fromSocket = 'code' in error && typeof error.code === 'string' && 'syscall' in error;
  return fromSocket || /^Connection terminated|is not queryable$/.test(error.message) ? 'lost' : 'other';
}
