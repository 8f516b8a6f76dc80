/** The result of one check. `wrong` is an error; `note` is not an error, but somebody should look at it. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'wrong';
  readonly name: string;
  /** A sentence about what was checked: usually the state that the check expects. `details` lists the problems. */
  readonly text: string;
  readonly details: readonly string[];
}

/**
 * Creates a finding.
 * @param candidates one sentence for each problem, or false for a problem that does not exist.
 * @param level the level if there is a problem. Without a problem, the level is `ok`.
 */
export function finding(name: string, text: string, candidates: readonly (string | false)[], level: 'note' | 'wrong' = 'wrong'): Finding {
  const details = candidates.filter((detail) => detail !== false);
  return { level: details.length === 0 ? 'ok' : level, name, text, details };
}
