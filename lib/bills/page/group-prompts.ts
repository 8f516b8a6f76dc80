import type { TimelineEntry } from './timeline';

/** An entry of the history, with the steps of a payment request below it. */
export interface GroupedEntry {
  readonly entry: TimelineEntry;
  /** Oldest first. Empty if the entry is not a payment request. */
  readonly steps: readonly TimelineEntry[];
}

/**
 * Moves the steps of each payment request below its entry. All other entries stay where they are, also the release of an attempt by a
 * person.
 */
export function groupPrompts(timeline: readonly TimelineEntry[]): GroupedEntry[] {
  const prompts = new Set(timeline.flatMap((entry) => (entry.kind === 'prompt' ? [entry.prompt.id] : [])));
  const promptOf = (entry: TimelineEntry) => ('attemptId' in entry && prompts.has(entry.attemptId ?? '') ? entry.attemptId : null);
  const steps = Map.groupBy(timeline, promptOf);
  return timeline.flatMap((entry) =>
    promptOf(entry) === null ? [{ entry, steps: entry.kind === 'prompt' ? (steps.get(entry.prompt.id) ?? []) : [] }] : [],
  );
}
