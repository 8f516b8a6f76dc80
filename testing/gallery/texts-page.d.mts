export function textsPage(
  parts: readonly { readonly part: string; readonly english: object; readonly swahili: object }[],
  sources: ReadonlyMap<string, string>,
): string;
