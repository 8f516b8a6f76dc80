import { expect } from 'vitest';
import type { Case, Step } from './case';
import type { Driver } from './driver';
import { startProxy } from './proxy';

/** What the cases run against. */
export interface Target {
  readonly url: string;
  readonly client: Readonly<Record<string, unknown>>;
  /** Values that cases refer to as `${name}`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Returns the webhook of a bill as soon as it has come. */
  receiveWebhook(billId: string): Promise<unknown>;
}

export async function runCase(one: Case, driver: Driver, target: Target): Promise<void> {
  const proxy = await startProxy(target.url, one.proxy);
  const saved: Record<string, unknown> = { ...target.values, seen: proxy.seen };
  try {
    expect(await driver.run('configure', { ...target.client, baseUrl: proxy.url, ...one.client })).toEqual({ result: null });
    for (const step of one.steps) {
      const result = await runStep(step, saved, driver, target);
      if (step.save) saved[step.save] = result;
    }
    if (one.differ) expect(fill(one.differ[0], saved)).not.toEqual(fill(one.differ[1], saved));
    if (one.seen) {
      expect(proxy.seen).toHaveLength(one.seen.length);
      expect(proxy.seen).toMatchObject(one.seen.map((wanted) => fill(wanted, saved)));
    }
  } finally {
    await proxy.stop();
  }
}

async function runStep(step: Step, saved: Readonly<Record<string, unknown>>, driver: Driver, target: Target): Promise<unknown> {
  const args = fill(step.args, saved);
  if (step.do === 'receiveWebhook') return target.receiveWebhook(String(at(args, ['bill'])));
  const started = performance.now();
  const answer = await driver.run(step.do, args);
  if (step.fails) {
    expect(answer).toMatchObject({ error: fill(step.fails, saved) });
    return answer;
  }
  expect(answer).toHaveProperty('result');
  const result = 'result' in answer ? answer.result : undefined;
  if (step.expect) expect(result).toMatchObject(Object(fill(step.expect, saved)));
  if (step.contains) {
    const items = step.contains.in ? at(result, [step.contains.in]) : result;
    expect(items).toEqual(expect.arrayContaining([expect.objectContaining(nested(fill(step.contains.item, saved)))]));
  }
  if (step.takesMs) expect(performance.now() - started).toBeGreaterThanOrEqual(step.takesMs);
  return result;
}

/** Replaces each object in the expected object by a matcher, so that the actual object may have more JSON members there. */
function nested(wanted: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(wanted)).map(([key, value]) => [key, isObject(value) ? expect.objectContaining(value) : value]),
  );
}

/** Replaces `${path}` in texts by the value at that path, and `{"$match": …}` by a matcher for the regular expression. */
function fill(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{([^}]+)\}$/.exec(value)?.[1];
    if (whole) return at(values, whole.split('.'));
    return value.replace(/\$\{([^}]+)\}/g, (_all, path: string) => String(at(values, path.split('.'))));
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (!isObject(value)) return value;
  if (typeof value.$match === 'string') return expect.stringMatching(value.$match);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, values)]));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((found: unknown, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined), value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]' && Object.getPrototypeOf(value) === Object.prototype;
}
