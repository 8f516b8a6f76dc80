import type { TimelineEntry } from './timeline';

/** An entry of a bill's history. If it is a payment request, `steps` are the later entries about the same request. */
export interface GroupedEntry {
  readonly entry: TimelineEntry;
  /** Oldest first. Empty if the entry is not a payment request. */
  readonly steps: readonly TimelineEntry[];
}

/**
 * Moves the entries about a payment request into the `steps` of the entry for that request. All other entries keep their position, and so
 * does the entry about the release of an attempt by a person.
 */
export function groupPrompts(timeline: readonly TimelineEntry[]): GroupedEntry[] {
  const prompts = new Set(timeline.flatMap((entry) => (entry.kind === 'prompt' ? [entry.prompt.id] : [])));
  const promptOf = (entry: TimelineEntry) => ('attemptId' in entry && prompts.has(entry.attemptId ?? '') ? entry.attemptId : null);
  const steps = Map.groupBy(timeline, promptOf);
  return timeline.flatMap((entry) =>
    promptOf(entry) === null ? [{ entry, steps: entry.kind === 'prompt' ? (steps.get(entry.prompt.id) ?? []) : [] }] : [],
  );
}
