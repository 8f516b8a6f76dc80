import pino from 'pino';
import type { Log } from '@/lib/platform/log/log';

export interface LogLine {
  readonly level: number | string;
  readonly msg: string;
  readonly [member: string]: unknown;
}

/** Returns a destination for a log, and the lines written to it so far. */
export function collectLines(): { readonly destination: { write(line: string): void }; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { destination: { write: (line) => void lines.push(JSON.parse(line)) }, lines };
}

/** Returns a log, and the lines written to it so far. */
export function collectLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const { destination, lines } = collectLines();
  return { log: pino({ level: 'info', base: null }, destination), lines };
}
