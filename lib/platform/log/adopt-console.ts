import { format, stripVTControlCharacters } from 'node:util';
import type { Log } from './log';

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/** Redirects console output of libraries to the log. */
export function adoptConsole(log: Log): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(globalThis.console, {
      [method]: (...parts: unknown[]) => log[level]({ source: 'console' }, stripVTControlCharacters(format(...parts)).trim()),
    });
  }
}
