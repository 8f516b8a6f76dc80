import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { durationSeconds, evaluate } from './promql';

/** Returns the rules of deploy/monitoring/alerts.yaml. In that file, each value must be on one line, in single quotes if it is a text. */
export function readAlertRules() {
  const text = readFileSync(join(PROJECT_ROOT, 'deploy', 'monitoring', 'alerts.yaml'), 'utf8');
  const blocks = text.split(/^ {6}- alert: /m).slice(1);
  return blocks.map((block) => ({
    name: block.split('\n', 1)[0] ?? '',
    expr: /^ +expr: '(.*)'$/m.exec(block)?.[1]?.replaceAll("''", "'") ?? '',
    /** How long the expression must hold before the alert fires. */
    forSeconds: durationSeconds(/^ +for: (\w+)$/m.exec(block)?.[1] ?? '0s'),
  }));
}

/**
 * Returns the alerts whose expressions hold for metrics that were scraped now. Rates need a history, so they are 0.
 * @param scraped the values of the series, by the text of the series.
 */
export function holdingAlerts(scraped: ReadonlyMap<string, number>): string[] {
  const series = [...scraped].map(([text, value]) => {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', content = '']) => [label, content]);
    return { name, labels: Object.fromEntries(pairs), valueAt: () => value };
  });
  return readAlertRules()
    .filter(({ expr }) => evaluate(expr, series, Date.now() / 1_000).length > 0)
    .map(({ name }) => name);
}
