import { type Measured, median } from './load';

export interface MeasuredCost extends Measured {
  /** Processor time for each request, microseconds. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

export interface Row {
  readonly route: string;
  readonly connections: number;
  readonly server: string;
  readonly rounds: readonly MeasuredCost[];
  /** The rounds of the baseline server (`bare-server.ts`). Each ran at about the same time as the round of `rounds` with the same index. */
  readonly yardstick: readonly Measured[];
}

/** Returns the table of rates: medians over the rounds. Each ratio compares two rounds that ran at about the same time. */
export function ratesTable(rows: readonly Row[]): string {
  return table(
    [
      'route',
      'connections',
      'server',
      'req/s',
      'p50 ms',
      'p99 ms',
      'rate to bare',
      'p50 to bare',
      'p99 to bare',
      'server µs',
      'database µs',
    ],
    rows.map(({ route, connections, server, rounds, yardstick }) => [
      route,
      String(connections),
      server,
      median(rounds.map((round) => round.perSecond)).toFixed(0),
      median(rounds.map((round) => round.p50)).toFixed(1),
      median(rounds.map((round) => round.p99)).toFixed(1),
      ...(['perSecond', 'p50', 'p99'] as const).map((figure) =>
        median(rounds.map((round, index) => round[figure] / (yardstick[index]?.[figure] ?? Number.NaN))).toFixed(2),
      ),
      median(rounds.map(({ serverMicros }) => serverMicros)).toFixed(0),
      median(rounds.map(({ databaseMicros }) => databaseMicros)).toFixed(0),
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
