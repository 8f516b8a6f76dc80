import { type Measured, median } from './load';

export interface Row {
  readonly route: string;
  readonly server: string;
  readonly rounds: readonly Measured[];
  /** The baseline's rounds, run directly before these. */
  readonly yardstick: readonly Measured[];
}

/** Returns the table of rates: medians over the rounds. Ratios are calculated per round. */
export function ratesTable(rows: readonly Row[]): string {
  return table(
    ['route', 'server', 'req/s', 'p50 ms', 'p99 ms', 'ratio to bare'],
    rows.map(({ route, server, rounds, yardstick }) => [
      route,
      server,
      median(rounds.map((round) => round.perSecond)).toFixed(0),
      median(rounds.map((round) => round.p50)).toFixed(1),
      median(rounds.map((round) => round.p99)).toFixed(1),
      median(rounds.map((round, index) => round.perSecond / (yardstick[index]?.perSecond ?? Number.NaN))).toFixed(2),
    ]),
  );
}

export function memoryTable(rows: readonly (readonly [name: string, bytes: number | null])[]): string {
  return table(
    ['process', 'resident MB'],
    rows.map(([name, bytes]) => [name, bytes === null ? 'n/a' : (bytes / 1024 / 1024).toFixed(0)]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (isNumber(rows[0]?.[column]) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

function isNumber(text: string | undefined): boolean {
  return text === 'n/a' || /^[\d.]+$/.test(text ?? '');
}
