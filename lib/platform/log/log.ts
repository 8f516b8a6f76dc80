import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

/** The values of fields with these names are hidden, at the top level of a log line or one level below. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'apiSecret', 'signingSecret', 'token', 'databaseUrl'];

export interface LogOptions {
  readonly level: string;
  /** `auto`: readable in a terminal, JSON lines everywhere else. */
  readonly format: 'auto' | 'json' | 'readable';
  /** The name of the process: web, worker, start. */
  readonly process: string;
  /** Called with the fields of each line about an error. Returns true if the line must not be written. */
  readonly divert?: (facts: Readonly<Record<string, unknown>>) => boolean;
  /** Replaces standard output as the destination of JSON lines, for tests. */
  readonly destination?: DestinationStream | undefined;
}

/**
 * Creates a log on standard output: JSON lines, or readable text in a terminal. JSON lines are buffered for up to 250 ms. `flush` and a
 * normal exit write the rest.
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
 * Returns the same log without the search for secrets, which takes longer than writing a line. Use it only for the log line of each
 * request. The code names all fields of that line, so no secret can be among them.
 */
export function withoutRedaction(log: Log): Log {
  return log.child({}, { redact: [] });
}
