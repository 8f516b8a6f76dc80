/** Quotes an argument for a POSIX shell. An address from a member may contain `$(…)`, `;` or quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the commands that decide a proposal. They contain the address, so they fail if a member has proposed another one meanwhile. */
export function proposalCommands({ merchant, url }: { readonly merchant: string; readonly url: string }): readonly string[] {
  return [
    `bili webhook approve --merchant ${merchant} --url ${quoted(url)}`,
    `bili webhook refuse --merchant ${merchant} --url ${quoted(url)} --reason '…'`,
  ];
}
