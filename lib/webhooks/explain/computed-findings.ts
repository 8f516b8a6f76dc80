import { explainComputed } from './computed';
import { bare, type Finding } from './finding';
import type { ReadHeaders } from './header-findings';
import type { PastedSecret } from './pasted-secret';

interface Computed {
  readonly computed: string;
  readonly headers: ReadHeaders;
  readonly secret: PastedSecret;
  readonly received: Uint8Array;
  readonly sent: Uint8Array | null;
  readonly otherKeys: readonly Uint8Array[];
}

/** Explains how the merchant's code computed its signature, and whether that is correct. */
export function judgeComputed({ computed, headers, secret, received, sent, otherKeys }: Computed): Finding[] {
  const { id, timestamp, signatures } = headers;
  const given = computed.trim();
  if (given === '' || id === undefined || timestamp === null) return [];
  const explained = explainComputed({ computed: given, id, timestamp, received, sent, secret, otherKeys });
  if (explained.findings.length > 0) return [...explained.findings];
  if (explained.signature === null || !signatures.includes(explained.signature)) {
    return bare(explained.understood ? 'computed_consistent' : 'computed_unexplained');
  }
  const found = [
    ...bare(...(given.startsWith('v1,') ? [] : (['computed_without_version'] as const))),
    ...bare(...(signatures.length > 1 ? (['computed_one_of_several'] as const) : [])),
  ];
  return found.length > 0 ? found : bare('computed_right');
}
