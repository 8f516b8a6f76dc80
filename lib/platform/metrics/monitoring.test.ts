import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { hasPromtool, MONITORING, promtool } from '@/testing/promtool';
import { listMetrics } from './definitions';

const read = (name: string) => readFileSync(join(MONITORING, name), 'utf8');

/** The rules of alerts.yaml. Each value is one quoted line. */
function readAlerts() {
  const blocks = read('alerts.yaml').split(/^ {6}- alert: /m);
  return blocks.slice(1).map((block) => {
    const value = (key: string) => new RegExp(`^ +${key}: '?(.*?)'?$`, 'm').exec(block)?.[1]?.replaceAll("''", "'") ?? '';
    const [name = ''] = block.split('\n', 1);
    return {
      name,
      expr: value('expr'),
      severity: value('severity'),
      texts: ['summary', 'description', 'action'].map(value),
      runbook: value('runbook'),
    };
  });
}

const dashboardSchema = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });
const alerts = readAlerts();
const queries = dashboardSchema.parse(JSON.parse(read('dashboard.json'))).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** The labels of each series, by the name of the series. Prometheus itself adds the label `instance`, and for histograms also `le`. */
const labelsOf = new Map<string, readonly string[]>(
  listMetrics().flatMap(([name, { type, labels = {} }]) => {
    const own = [...Object.keys(labels), 'instance'];
    return type === 'histogram'
      ? [`${name}_sum`, `${name}_count`, `${name}_bucket`].map((series): [string, string[]] => [series, [...own, 'le']])
      : [[name, own]];
  }),
);

/** Returns the selectors of an expression: the name of a series and the labels by which it is selected. */
function selectorsOf(expr: string) {
  return [...expr.matchAll(/\b((?:bili|process|nodejs)_[a-z0-9_]+)\b(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*=/g)].map(([, label = '']) => label),
  }));
}

test('there are alerts for what an operator must react to, with unique names', () => {
  const names = alerts.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(15);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['alerts', alerts.map(({ expr }) => expr)],
  ['the dashboard', queries],
])('every series in an expression of %s is a metric of the table, with labels that it has', (_where, expressions) => {
  const wrong = expressions.flatMap((expr) => {
    const selectors = selectorsOf(expr);
    if (selectors.length === 0 && !expr.includes('ALERTS')) return [`${expr}: no metric`];
    return selectors.flatMap(({ name, labels }) =>
      labels.every((label) => labelsOf.get(name)?.includes(label)) && labelsOf.has(name) ? [] : [`${expr}: ${name} {${labels}}`],
    );
  });
  expect(wrong).toEqual([]);
});

test('every metric is on the dashboard or in an alert', () => {
  const used = new Set([...queries, ...alerts.map(({ expr }) => expr)].flatMap(selectorsOf).map(({ name }) => name));
  const unused = listMetrics().filter(([name, { type }]) =>
    type === 'histogram' ? !used.has(`${name}_bucket`) && !used.has(`${name}_sum`) : !used.has(name),
  );
  expect(unused.map(([name]) => name)).toEqual([
    'bili_job_last_claim_timestamp_seconds',
    'bili_ledger_check_duration_seconds',
    'bili_database_connections_max',
    'nodejs_heap_size_used_bytes',
  ]);
});

test('each alert says what it means and what to do, in the rule and in docs/operating.md', () => {
  const document = readFileSync(join(PROJECT_ROOT, 'docs', 'operating.md'), 'utf8');
  for (const { name, severity, texts, runbook } of alerts) {
    expect(['critical', 'warning']).toContain(severity);
    for (const text of texts) expect(text).toMatch(/^\S.{12,}\.$/);
    expect(runbook).toBe('docs/operating.md#alerts');
    expect(document).toContain(`| \`${name}\` | ${severity} | `);
  }
});

test('the inhibition rules name alerts that exist', () => {
  const named = [...read('alertmanager.yaml').matchAll(/alertname(?:=~|=|!=)"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|'));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => name !== 'Bili.*' && !alerts.some((alert) => alert.name === name))).toEqual([]);
});

test('each alert has a test in which it fires, and is silent on a healthy installation', () => {
  const cases = read('alerts.test.yaml');
  for (const { name } of alerts) {
    expect(cases).toContain(`  - name: ${name}\n`);
    expect(cases).toContain(`- {alertname: ${name}, eval_time: `);
  }
});

test('promtool accepts the rules, and their tests pass', { tags: ['full'] }, ({ skip }) => {
  skip(!hasPromtool(), 'promtool, a part of Prometheus, is not installed');
  const rules = promtool('check', 'rules', 'alerts.yaml');
  expect(rules).toMatchObject({ ok: true, output: expect.stringContaining(`SUCCESS: ${alerts.length} rules found`) });
  expect(promtool('test', 'rules', 'alerts.test.yaml')).toMatchObject({ ok: true, output: expect.stringContaining('SUCCESS') });
});
