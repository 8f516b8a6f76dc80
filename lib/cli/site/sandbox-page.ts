import { SECOND_MS } from '@/lib/core/clock';
import { BEHAVIOURS, BY_DIGITS } from '@/lib/providers/sandbox/outcomes';
import { SCENARIO_NAMES } from '@/lib/sandbox/scenarios';

const ROW = /^\| (\d{3}) \| `([\w-]+)` \| (.*) \|$/gm;
const NAME = /^\| (?:\d{3}|–) \| `([\w-]+)` \|/gm;

/**
 * Checks the table of the page about the sandbox against the simulator. Each ending of a mobile number that selects a scenario must have a
 * row. The row must contain the name of the scenario, and each delay of the scenario that is a whole number of seconds. Each scenario must
 * have a row. Returns the page unchanged.
 * @throws if the table differs from the simulator
 */
export function checkNumbers(markdown: string): string {
  const rows = new Map([...markdown.matchAll(ROW)].map(([, number = '', scenario = '', text = '']) => [number, { scenario, text }]));
  const unknown = [...rows.keys()].filter((number) => !BY_DIGITS[number]);
  if (unknown.length > 0) throw new Error(`the page about the sandbox describes numbers that do not exist: ${unknown.join(', ')}`);
  for (const [number, scenario] of Object.entries(BY_DIGITS)) {
    const row = rows.get(number);
    if (row === undefined) throw new Error(`the page about the sandbox does not describe ${number}`);
    if (row.scenario !== scenario) throw new Error(`the page about the sandbox calls ${number} ${row.scenario}, not ${scenario}`);
    for (const { afterMs } of BEHAVIOURS[scenario].steps) {
      const seconds = afterMs / SECOND_MS;
      if (seconds >= 1 && Number.isInteger(seconds) && !new RegExp(`\\b${seconds}\\b`).test(row.text))
        throw new Error(`the page about the sandbox does not say that ${number} takes ${seconds} s`);
    }
  }
  const described = [...markdown.matchAll(NAME)].map(([, name = '']) => name);
  const missing = SCENARIO_NAMES.filter((name) => !described.includes(name));
  if (missing.length > 0) throw new Error(`the page about the sandbox does not describe these scenarios: ${missing.join(', ')}`);
  return markdown;
}
