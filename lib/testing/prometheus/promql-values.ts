export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The series of a test. `valueAt` gets a time in seconds, and returns undefined if the series has no sample at this time. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly valueAt: (time: number) => number | undefined;
}

/** A number, or samples of several series at one time. */
export type Value = number | readonly Sample[];

export function vector(value: Value): readonly Sample[] {
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

export function scalar(value: Value): number {
  if (typeof value !== 'number') throw new Error('a comparison needs a number on its right side');
  return value;
}

/** Calculates with two values. Vectors are matched by their labels. */
export function combine(left: Value, right: Value, calculate: (a: number, b: number) => number): Value {
  if (typeof left === 'number' && typeof right === 'number') return calculate(left, right);
  if (typeof right === 'number') return vector(left).map(({ labels, value }) => ({ labels, value: calculate(value, right) }));
  if (typeof left === 'number') return right.map(({ labels, value }) => ({ labels, value: calculate(left, value) }));
  return left.flatMap(({ labels, value }) => {
    const other = right.find((one) => JSON.stringify(one.labels) === JSON.stringify(labels));
    return other ? [{ labels, value: calculate(value, other.value) }] : [];
  });
}

/** Returns whether a vector has a sample with the labels of another sample. */
export function hasSample(value: Value, { labels }: Sample): boolean {
  return vector(value).some((one) => JSON.stringify(one.labels) === JSON.stringify(labels));
}

export function only(labels: Sample['labels'], names: readonly string[]): Sample['labels'] {
  return Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
}

/** Interpolates in the bucket that contains the quantile, as Prometheus does. */
export function quantileOf(quantile: number, buckets: readonly Sample[]): readonly Sample[] {
  const bounds = buckets
    .map(({ labels, value }) => ({ bound: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le), count: value }))
    .sort((a, b) => a.bound - b.bound);
  const wanted = quantile * (bounds.at(-1)?.count ?? 0);
  const index = bounds.findIndex(({ count }) => count >= wanted);
  const [before, found] = [bounds[index - 1] ?? { bound: 0, count: 0 }, bounds[index]];
  if (wanted === 0 || !found) return [];
  const part = (wanted - before.count) / (found.count - before.count);
  return [
    { labels: {}, value: found.bound === Number.POSITIVE_INFINITY ? before.bound : before.bound + (found.bound - before.bound) * part },
  ];
}
