import { DESCRIBED_PROVIDERS } from '@/lib/providers/facts';
import type { Outcome } from '@/lib/providers/port/outcome';
import { type Matrix, SCENARIOS, type Simulation } from '@/lib/providers/simulation/scenarios';
import { table } from './docs-tables';
import { GENERATED } from './provider-pages';

/** Returns the page that compares what each provider reports in each scenario. */
export function scenariosPage(): string {
  const columns = DESCRIBED_PROVIDERS.flatMap(({ facts, scenarios }) =>
    Object.entries(scenarios).map(([mode, matrix]) => ({ title: mode === '' ? facts.title : `${facts.title}, ${mode}`, matrix })),
  );
  const cells = (matrix: Matrix) => SCENARIOS.map((scenario) => describe(matrix[scenario]));
  const reasons = columns.flatMap(({ title, matrix }) =>
    SCENARIOS.flatMap((scenario) => {
      const simulation = matrix[scenario];
      return typeof simulation === 'string' ? [`- ${title}, ${scenario}: ${simulation}.\n`] : [];
    }),
  );
  const all = columns.map(({ matrix }) => cells(matrix));
  return `${GENERATED}

# What each provider reports

The contract tests run each scenario over HTTP against the [simulator](simulators.md) of each provider, and check that the adapter reports exactly this. The first outcome is that of the answer to the payment request, unless it was accepted. Those after it come from status queries.

${table(
  ['scenario', ...columns.map(({ title }) => title)],
  SCENARIOS.map((scenario, index) => [scenario, ...all.map((column) => column[index] ?? '')]),
)}
A provider without an outcome cannot get into the scenario:

${reasons.join('')}`;
}

function describe(simulation: Simulation | string): string {
  if (typeof simulation === 'string') return '–';
  const { answer, found } = simulation;
  const outcomes = answer.kind === 'accepted' && found.length > 0 ? found : [answer, ...found];
  return outcomes.map(nameOf).join(' → ');
}

function nameOf(outcome: Partial<Outcome>): string {
  const { kind = '' } = outcome;
  return 'reason' in outcome ? `${kind}: ${outcome.reason}` : kind;
}
