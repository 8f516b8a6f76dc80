import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { readAlertRules } from '@/lib/testing/prometheus/alert-rules';
import { durationSeconds, evaluate } from '@/lib/testing/prometheus/promql';
import type { Series } from '@/lib/testing/prometheus/promql-values';

const CASES = readFileSync(join(PROJECT_ROOT, 'deploy', 'monitoring', 'alerts.test.yaml'), 'utf8');
const blocksOf = (text: string, start: RegExp) => text.split(start).slice(1);
const unquote = (text: string) => text.replaceAll("''", "'");

const rules = readAlertRules();

/** The cases of alerts.test.yaml, which promtool runs too. */
const cases = blocksOf(CASES, /^ {2}- name: /m).map((block) => ({
  name: block.split('\n', 1)[0] ?? '',
  seconds: durationSeconds(/eval_time: (\w+)/.exec(block)?.[1] ?? ''),
  series: [...block.matchAll(/- series: '(.*)'\n +values: '(.*)'/g)].map(([, series = '', values = '']) =>
    parseSeries(unquote(series), values, durationSeconds(/^ +interval: (\w+)$/m.exec(block)?.[1] ?? '')),
  ),
}));

/** Reads a series in the notation of promtool: single values, or `start+stepxcount`. */
function parseSeries(text: string, notation: string, interval: number): Series {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? [];
  const values = notation.split(' ').flatMap((part) => {
    const [, start, step, count] = /^([\d.]+)\+([\d.]+)x(\d+)$/.exec(part) ?? [];
    if (start === undefined) return [Number(part)];
    return Array.from({ length: Number(count) + 1 }, (_, n) => Number(start) + n * Number(step));
  });
  return {
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value])),
    valueAt: (time) => values[Math.floor(time / interval)],
  };
}

test.each(rules)('$name fires in its case', ({ name, expr, forSeconds }) => {
  const one = cases.find((candidate) => candidate.name === name);
  if (!one) throw new Error(`alerts.test.yaml has no case ${name}`);
  // The alert fires only if its expression was true at the beginning, in the middle and at the end of its `for` time.
  for (const ago of [forSeconds, forSeconds / 2, 0]) expect(evaluate(expr, one.series, one.seconds - ago)).not.toEqual([]);
});

test.each(rules)('$name is silent on a healthy installation', ({ expr }) => {
  const healthy = cases.find(({ name }) => name === 'healthy');
  expect(healthy?.series.length).toBeGreaterThan(20);
  for (const minute of [10, 30, 55]) expect(evaluate(expr, healthy?.series ?? [], minute * 60)).toEqual([]);
});

test('the evaluator calculates what Prometheus calculates', () => {
  const series = [
    parseSeries('hits_total{path="a",kind="x"}', '0+15x100', 15),
    parseSeries('hits_total{path="b",kind="x"}', '0+45x100', 15),
    parseSeries('age{queue="q"}', '70+0x100', 15),
  ];
  const value = (expr: string) => evaluate(expr, series, 600);
  expect(value('sum by (path) (rate(hits_total[5m])) > 2')).toEqual([{ labels: { path: 'b' }, value: 3 }]);
  expect(value('sum(rate(hits_total{path="a"}[5m])) / sum(rate(hits_total[5m]))')).toEqual([{ labels: {}, value: 0.25 }]);
  expect(value('sum(increase(hits_total{path=~"a|b"}[10m]))')).toEqual([{ labels: {}, value: 2_400 }]);
  expect(value('(time() - max(age) > 529) or absent(age)')).toEqual([{ labels: {}, value: 530 }]);
  expect(value('max(age) > 70')).toEqual([]);
  expect(value('absent(nothing)')).toEqual([{ labels: {}, value: 1 }]);
  expect(() => value('quantile(0.5, age)')).toThrow();
  expect(() => value('age unless age')).toThrow('cannot read unless');
});
