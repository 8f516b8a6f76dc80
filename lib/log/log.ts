import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

/** Never logged, wherever they stand in an object. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'apiSecret', 'signingSecret', 'token', 'databaseUrl'];

export interface LogOptions {
  readonly level: string;
  /** `auto`: readable in a terminal, JSON lines everywhere else. */
  readonly format: 'auto' | 'json' | 'readable';
  /** Which process is speaking: web, worker, start. */
  readonly process: string;
  /** Is shown what a line says beside its text, and returns true to keep it from being written. */
  readonly divert?: (facts: Readonly<Record<string, unknown>>) => boolean;
  /** Where JSON lines go instead of standard output, for tests. */
  readonly destination?: DestinationStream | undefined;
}

/**
 * JSON lines on standard output, or a readable form in a terminal. JSON lines are buffered for up to a quarter of a second;
 * `flush` writes what is left, and so does a normal exit.
 */
export function createLog({ level, format, process: name, divert, destination }: LogOptions): Log {
  const readable = format === 'readable' || (format === 'auto' && process.stdout.isTTY);
  const standard = readable
    ? pretty({ colorize: true, ignore: 'pid,hostname', singleLine: true, sync: true })
    : pino.destination({ dest: 1, minLength: 8_192, periodicFlush: 250, sync: true });
  return pino(
    {
      level,
      base: { process: name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(line, method) {
          const [facts]: unknown[] = line;
          if (divert && isFacts(facts) && 'err' in facts && divert(facts)) return;
          method.apply(this, line);
        },
      },
      redact: { paths: SECRETS.flatMap((path) => [path, `*.${path}`]), censor: '[hidden]' },
    },
    destination ?? standard,
  );
}

function isFacts(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * @returns the same log without the search for secrets, which takes longer than writing the line: for the one line of every
 *   request, whose members are all named where it is written.
 */
export function withoutRedaction(log: Log): Log {
  return log.child({}, { redact: [] });
}
