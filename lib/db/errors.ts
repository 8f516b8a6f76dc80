import pg from 'pg';

/** Also the name by which the other bundle of the web process recognises the error: it has a class of its own. */
const UNAVAILABLE = 'DatabaseUnavailable';

/**
 * The database cannot be used now: it cannot be reached, is read-only or shutting down, has no connection left, or did not
 * answer in time. Only the pool and its sessions throw it, so another socket's error is never mistaken for the database's.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = UNAVAILABLE;

  constructor(cause: unknown) {
    super(`The database is unavailable: ${sentenceOf(cause)}`, { cause });
  }
}

/** Recognised by its name, too. */
const FAILED = 'StatementFailed';

/** A statement of Prisma's that PostgreSQL refused: {@link postgresError} reads why. */
export class StatementFailed extends Error {
  override readonly name = FAILED;

  constructor(cause: pg.DatabaseError) {
    super(cause.message, { cause });
  }
}

/** PostgreSQL's own message with its SQLSTATE, or the message of any other error. */
export function sentenceOf(error: unknown): string {
  const raised = raisedByPostgres(error);
  if (raised) return `${raised.message} (SQLSTATE ${raised.code})`;
  if (isDatabaseUnavailable(error)) return sentenceOf(error.cause);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** @returns the SQLSTATE and constraint of an error PostgreSQL raised, or undefined for any other. */
export function postgresError(error: unknown): { code: string; constraint: string | undefined } | undefined {
  const raised = raisedByPostgres(error);
  return raised?.code ? { code: raised.code, constraint: raised.constraint } : undefined;
}

function raisedByPostgres(error: unknown): pg.DatabaseError | undefined {
  const raised = isDatabaseUnavailable(error) || (error instanceof Error && error.name === FAILED) ? error.cause : error;
  return raised instanceof pg.DatabaseError ? raised : undefined;
}

/** Whether trying later may help: the database could not be used, or had no time for this. */
export function isDatabaseUnavailable(error: unknown): error is Error {
  return error instanceof Error && error.name === UNAVAILABLE;
}

/** Whether no server answered, rather than one that refused. */
export function isUnreachable(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return isUnreachable(error.cause);
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  return error instanceof Error && ('syscall' in error || /timeout|terminated|in time$/.test(error.message));
}

/** Whether the server, the database or the role has no connection left for another session (too_many_connections). */
export function isCrowded(error: unknown): boolean {
  return postgresError(error)?.code === '53300';
}

/**
 * lock_not_available, query_canceled (a statement or a lock took too long), serialization_failure, deadlock_detected: this
 * session goes on.
 */
const BUSY_CODES = new Set(['55P03', '57014', '40001', '40P01']);
/** read_only_sql_transaction, idle_in_transaction_session_timeout, io_error; then whole classes: connection, resources, operator. */
const LOST_CODES = /^(25006|25P03|58030|08|53|57)/;

/** Whether a statement had to give way to others, which the database serves meanwhile. */
export function isBusy(error: unknown): boolean {
  return BUSY_CODES.has(postgresError(error)?.code ?? '');
}

/** @returns what an error of a session says about it. `lost`: the session must not be used again. */
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
