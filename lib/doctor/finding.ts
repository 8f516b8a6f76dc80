/** One thing that was looked at. `note` is nothing wrong, but somebody's to do. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'wrong';
  readonly name: string;
  /** A sentence: what holds, or what does not. */
  readonly text: string;
  readonly details: readonly string[];
}

/** @returns a finding that is ok when there is nothing to say against it. */
export function finding(name: string, text: string, details: readonly string[], level: 'note' | 'wrong' = 'wrong'): Finding {
  return { level: details.length === 0 ? 'ok' : level, name, text, details };
}
