import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { installDebianPackage } from './install-program';

/** The folder with the alert rules and their tests. */
export const MONITORING = join(PROJECT_ROOT, 'deploy', 'monitoring');
/** The simulated time at which the alerts are evaluated. The metrics have had the same values for so long that all rates are 0. */
const AFTER_SECONDS = 3_600;

/** Returns whether promtool, a part of Prometheus, is installed. On Linux, installs it if it is missing, and throws if that fails. */
export function hasPromtool(): boolean {
  if (!spawnSync('promtool', ['--version']).error) return true;
  if (process.platform !== 'linux') return false;
  if (installDebianPackage('prometheus', ['/usr/bin/promtool'])) return true;
  throw new Error('promtool is missing. Install the package "prometheus" of Debian or Ubuntu.');
}

/** Runs promtool in the folder of the alert rules. Returns all that it prints. */
export function promtool(...args: readonly string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { cwd: MONITORING, encoding: 'utf8' });
  if (error) throw error;
  return { ok: status === 0, output: stdout + stderr };
}

/**
 * Returns the alerts whose expressions hold for metrics that were scraped now, in the order of alerts.yaml.
 * @param scraped the values of the series, by the text of the series.
 */
export function holdingAlerts(scraped: ReadonlyMap<string, number>): string[] {
  const series = [...scraped].map(([text, value]) => ({ series: text, values: `${valueNow(text, value)}+0x${AFTER_SECONDS / 60}` }));
  // promtool prints the alerts because none is expected.
  const questions = [{ expr: 'ALERTS', eval_time: `${AFTER_SECONDS}s` }];
  const document = {
    rule_files: [join(MONITORING, 'alerts.yaml')],
    tests: [{ interval: '1m', input_series: series, promql_expr_test: questions }],
  };
  const folder = mkdtempSync(join(tmpdir(), 'bili-promtool-'));
  try {
    // promtool reads YAML, and JSON is YAML.
    const file = join(folder, 'test.yaml');
    writeFileSync(file, JSON.stringify(document));
    const { ok, output } = promtool('test', 'rules', file);
    const [, printed] = output.split('got:');
    if (!ok && printed === undefined) throw new Error(output);
    const holding = new Set([...(printed ?? '').matchAll(/\balertname="(\w+)"/g)].map(([, name]) => name));
    return alertNames().filter((name) => holding.has(name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a sample's value for promtool, whose clock begins at 0: a time becomes as long ago as it is now. */
function valueNow(series: string, value: number): string {
  const isTime = /_timestamp_seconds(?:\{|$)/.test(series);
  return String(isTime ? value - Date.now() / 1_000 + AFTER_SECONDS : value);
}

function alertNames(): string[] {
  const rules = readFileSync(join(MONITORING, 'alerts.yaml'), 'utf8');
  return [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);
}
