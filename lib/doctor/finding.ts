/** The result of one check. `wrong` is an error; `note` is not an error, but somebody should look at it. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'wrong';
  readonly name: string;
  /** A sentence about the state that the check expects. */
  readonly text: string;
  readonly details: readonly string[];
}

/** Creates a finding. It is ok if there are no details. */
export function finding(name: string, text: string, details: readonly string[], level: 'note' | 'wrong' = 'wrong'): Finding {
  return { level: details.length === 0 ? 'ok' : level, name, text, details };
}
