import { combine, hasSample, only, quantileOf, type Sample, type Series, scalar, type Value, vector } from './promql-values';

const TOKEN = /\s*(\d+(?:\.\d+)?(?![\w.])|\[\w+\]|\{[^}]*\}|[A-Za-z_]\w*|==|[-+*/><(),])/y;
const AGGREGATIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
};
const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = { '>': (a, b) => a > b, '==': (a, b) => a === b };
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** Returns the seconds of a duration such as `5m`. */
export function durationSeconds(text: string): number {
  return Number(text.slice(0, -1)) * (SECONDS[text.slice(-1)] ?? Number.NaN);
}

/**
 * Returns the samples for which an alert's expression holds at a time, in seconds. For tests on machines without promtool. Supports only
 * the part of PromQL that the alerts use, and throws for anything else. Unlike in Prometheus, `rate` and `increase` do not extrapolate.
 */
export function evaluate(expr: string, all: readonly Series[], time: number): readonly Sample[] {
  const tokens = tokenize(expr);
  let at = 0;
  const peek = () => tokens[at] ?? '';
  const take = () => tokens[at++] ?? '';
  const expect = (token: string) => {
    const found = take();
    if (found !== token) throw new Error(`${expr}: expected ${token}, found ${found}`);
  };

  function parseOr(): Value {
    let left = parseComparison();
    while (['or', 'and'].includes(peek())) {
      const operator = take();
      const right = parseComparison();
      const found = vector(left);
      left = operator === 'or' ? [...found, ...vector(right)] : found.filter((one) => hasSample(right, one));
    }
    return left;
  }

  function parseComparison(): Value {
    const left = parseOperators(['+', '-'], () => parseOperators(['*', '/'], parseOperand));
    const compare = COMPARISONS[peek()];
    if (!compare) return left;
    take();
    const right = scalar(parseOperators(['+', '-'], parseOperand));
    return vector(left).filter(({ value }) => compare(value, right));
  }

  function parseOperators(names: readonly string[], operand: () => Value): Value {
    let left = operand();
    while (names.includes(peek())) {
      const calculate = OPERATORS[take()] ?? (() => Number.NaN);
      left = combine(left, operand(), calculate);
    }
    return left;
  }

  function parseOperand(): Value {
    const token = take();
    if (/^\d/.test(token)) return Number(token);
    if (token === '(') return inside(parseOr);
    const aggregation = AGGREGATIONS[token];
    if (aggregation) return aggregate(aggregation);
    if (peek() !== '(') return select(token, time);
    take();
    return inside(() => call(token));
  }

  function inside(parse: () => Value): Value {
    const value = parse();
    expect(')');
    return value;
  }

  function aggregate(aggregation: (values: readonly number[]) => number): Value {
    const by: string[] = [];
    if (peek() === 'by') {
      take();
      expect('(');
      while (peek() !== ')')
        if (peek() === ',') take();
        else by.push(take());
      take();
    }
    expect('(');
    const samples = vector(inside(parseOr)).map(({ labels, value }) => ({ labels: only(labels, by), value }));
    const groups = Map.groupBy(samples, ({ labels }) => JSON.stringify(labels));
    return [...groups.values()].map((group) => ({ labels: group[0]?.labels ?? {}, value: aggregation(group.map(({ value }) => value)) }));
  }

  function call(name: string): Value {
    if (name === 'time') return time;
    if (name === 'absent') return vector(parseOr()).length > 0 ? [] : [{ labels: {}, value: 1 }];
    if (name === 'histogram_quantile') {
      const quantile = Number(take());
      expect(',');
      return quantileOf(quantile, vector(parseOr()));
    }
    const series = take();
    const matchers = peek().startsWith('{') ? take() : '';
    const seconds = durationSeconds(take().slice(1, -1));
    return overRange(name, find(series, matchers), seconds);
  }

  function overRange(name: string, found: readonly Series[], seconds: number): Value {
    const from = Math.max(0, time - seconds);
    return found.flatMap(({ labels, valueAt }) => {
      const [first, last] = [valueAt(from), valueAt(time)];
      if (first === undefined || last === undefined) return [];
      if (name === 'min_over_time') return [{ labels, value: Math.min(first, last, valueAt((from + time) / 2) ?? last) }];
      if (name === 'increase') return [{ labels, value: last - first }];
      if (name === 'rate') return [{ labels, value: (last - first) / (time - from) }];
      throw new Error(`${expr}: unknown function ${name}`);
    });
  }

  function select(name: string, when: number): Value {
    const matchers = peek().startsWith('{') ? take() : '';
    return find(name, matchers).flatMap(({ labels, valueAt }) => {
      const value = valueAt(when);
      return value === undefined ? [] : [{ labels, value }];
    });
  }

  function find(name: string, matchers: string): readonly Series[] {
    const tests = [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(([, label = '', operator, text = '']) => ({
      label,
      fits: (value: string) => (operator === '=' ? value === text : new RegExp(`^(?:${text})$`).test(value)),
    }));
    return all.filter((one) => one.name === name && tests.every(({ label, fits }) => fits(one.labels[label] ?? '')));
  }

  const result = vector(parseOr());
  if (at < tokens.length) throw new Error(`${expr}: cannot read ${tokens.slice(at).join(' ')}`);
  return result;
}

function tokenize(expr: string): string[] {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < expr.length; ) {
    const from = TOKEN.lastIndex;
    const [, token] = TOKEN.exec(expr) ?? [];
    if (token === undefined) throw new Error(`${expr}: cannot read from character ${from}`);
    tokens.push(token);
  }
  return tokens;
}
