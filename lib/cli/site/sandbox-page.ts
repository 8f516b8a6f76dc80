import { SECOND_MS } from '@/lib/core/clock';
import { BEHAVIOURS } from '@/lib/providers/sandbox/outcomes';

const ROW = /^\| (\d{3}) \| (.*) \|$/gm;

/**
 * Compares the table of numbers with the simulated phones: each number has a row, which names the seconds of each step.
 * @throws if they differ
 */
export function checkNumbers(markdown: string): string {
  const rows = new Map([...markdown.matchAll(ROW)].map(([, number = '', text = '']) => [number, text]));
  const unknown = [...rows.keys()].filter((number) => !BEHAVIOURS[number]);
  if (unknown.length > 0) throw new Error(`the page about the sandbox describes numbers that do not exist: ${unknown.join(', ')}`);
  for (const [number, { steps }] of Object.entries(BEHAVIOURS)) {
    const row = rows.get(number);
    if (row === undefined) throw new Error(`the page about the sandbox does not describe ${number}`);
    for (const { afterMs } of steps) {
      const seconds = afterMs / SECOND_MS;
      if (seconds >= 1 && Number.isInteger(seconds) && !new RegExp(`\\b${seconds}\\b`).test(row))
        throw new Error(`the page about the sandbox does not say that ${number} takes ${seconds} s`);
    }
  }
  return markdown;
}
