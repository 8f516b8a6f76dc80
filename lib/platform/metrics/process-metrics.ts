import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  listMetrics,
  METRICS,
  type MetricDefinition,
  type MetricName,
} from './definitions';

/** The metrics of one process at one moment, as plain JSON data that can be sent to another process. */
export type CollectedMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** The metrics of this process. Each metric is added once, by the code that sets it. */
export interface ProcessMetrics {
  /** @param update is called at each collection, before the value is read. */
  counter(name: CounterName, update?: (counter: Counter) => void): Counter;
  gauge(name: GaugeName, update?: (gauge: Gauge) => void): Gauge;
  histogram(name: HistogramName): Histogram;
  /** Adds a task that runs before each collection. */
  beforeCollection(task: () => Promise<void>): void;
  collect(): Promise<CollectedMetrics>;
}

export function createProcessMetrics(): ProcessMetrics {
  const registry = new Registry();
  const tasks: (() => Promise<void>)[] = [];
  const common = (name: MetricName) => {
    const { help, labels = {}, aggregator = 'sum' }: MetricDefinition = METRICS[name];
    return { name, help, labelNames: Object.keys(labels), aggregator, registers: [registry] };
  };
  return {
    counter(name, update) {
      const counter: Counter = new Counter({ ...common(name), ...(update && { collect: () => update(counter) }) });
      return counter;
    },
    gauge(name, update) {
      const gauge: Gauge = new Gauge({ ...common(name), ...(update && { collect: () => update(gauge) }) });
      return gauge;
    },
    histogram: (name) => new Histogram({ ...common(name), buckets: [...METRICS[name].buckets] }),
    beforeCollection: (task) => void tasks.push(task),
    async collect() {
      await Promise.all(tasks.map((task) => task()));
      return registry.getMetricsAsJSON();
    },
  };
}

/** Adds up the counters and histograms of several processes. Leaves out the gauges. */
export async function sumCounters(collected: readonly CollectedMetrics[]): Promise<CollectedMetrics> {
  const sums = await AggregatorRegistry.aggregate([...collected]).getMetricsAsJSON();
  const gauges = new Set(listMetrics().flatMap(([name, { type }]) => (type === 'gauge' ? [name] : [])));
  return sums.filter(({ name }) => !gauges.has(name));
}

/**
 * Returns the metrics of several processes as one text in the format of Prometheus. Each metric is aggregated as its definition says.
 * Counters are added. A fact about the database is not added, because every process reads the same value.
 */
export async function aggregate(collected: readonly CollectedMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...collected]).metrics();
}
