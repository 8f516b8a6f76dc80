/**
 * Parses a text in the format of Prometheus. Returns the value of each series; the key is the series as the text writes it, with labels.
 */
export function parseSeries(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Fetches the metrics of a process of this machine. */
export async function scrape(port: number): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  return parseSeries(await answer.text());
}

/** Returns the names of the metrics, without the suffixes of histograms. */
export function metricNames(series: Iterable<string>): Set<string> {
  return new Set([...series].map((one) => one.replace(/\{.*/s, '').replace(/_(bucket|sum|count)$/, '')));
}
