import { table } from '../bench/report';
import { failed, type Outcome, type Recovery, type Result } from './run-scenario';
import type { Drive, Scenario } from './scenario';

const seconds = (ms: number | null) => (ms === null ? 'never' : (ms / 1_000).toFixed(1));

/** Returns the observations of the clients, the losses and the recovery times. */
export function describeOutcome(scenario: Scenario | Drive, outcome: Outcome): string {
  const { name, what } = scenario;
  if (outcome.kind === 'drove') return describe(scenario, outcome.lines, outcome.problems);
  if (outcome.kind !== 'ran' || 'drive' in scenario)
    return `\n${name}: ${outcome.kind === 'skipped' ? 'SKIPPED' : 'FAILED'}. ${'why' in outcome ? outcome.why : what}\n`;
  const { result } = outcome;
  const { seen, notReadyMs, recovery, damage, paid, neverArrived, loudLines, problems } = result;
  const lines = [
    `clients saw    ${describeAnswers(result)}; longest time without a new bill ${seconds(seen.longestGapMs)} s`,
    `readiness      some web process was not ready for ${seconds(notReadyMs)} s`,
    `records        ${seen.acknowledged.size} bills acknowledged, ${paid} paid, ${neverArrived} prompts that never arrived; lost ${damage.lost.length}, doubled ${damage.doubled.length}, asked twice ${damage.askedTwice.length}, differences with the provider ${damage.money.length}`,
    `recovery       ready ${seconds(recovery.ready)} s, first bill ${seconds(recovery.created)} s, first prompt ${seconds(recovery.prompted)} s after the fault; at most ${scenario.recoverySeconds} s`,
    `logs           ${loudLines} warnings and errors`,
  ];
  return describe(scenario, lines, problems);
}

function describe({ name, what }: Scenario | Drive, lines: readonly string[], problems: readonly string[]): string {
  const shown = [...lines, ...problems.map((problem) => `PROBLEM        ${problem}`)];
  return `\n${name}: ${problems.length === 0 ? 'passed' : 'FAILED'} (${what})\n${shown.map((line) => `  ${line}\n`).join('')}`;
}

/** Returns one row for each scenario. */
export function summaryTable(outcomes: ReadonlyMap<string, Outcome>): string {
  const head = ['scenario', 'clients saw', 'gap s', 'lost', 'doubled', 'asked twice', 'money', 'recovery s', ''];
  return table(
    head,
    [...outcomes].map(([name, outcome]) => {
      const verdict = outcome.kind === 'skipped' ? 'skipped' : failed(outcome) ? 'FAILED' : 'passed';
      if (outcome.kind !== 'ran') return [name, '', '', '', '', '', '', '', verdict];
      const { result } = outcome;
      const { seen, damage, recovery } = result;
      const { lost, doubled, askedTwice, money } = damage;
      const counts = [lost, doubled, askedTwice, money].map(({ length }) => String(length));
      return [name, describeAnswers(result), seconds(seen.longestGapMs), ...counts, seconds(slowest(recovery)), verdict];
    }),
  );
}

function describeAnswers({ seen }: Result): string {
  return [...seen.answers]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}

function slowest(recovery: Recovery): number | null {
  const all = Object.values(recovery);
  return all.includes(null) ? null : Math.max(...all.map((ms) => ms ?? 0));
}
