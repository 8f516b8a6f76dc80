import pino from 'pino';
import type { Log } from '@/lib/log/log';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [member: string]: unknown;
}

/** @returns a log, and the lines written to it so far. */
export function collectLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const log = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}
