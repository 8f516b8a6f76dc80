/** All findings about a signature, by importance. The first finding of an explanation is its verdict. */
export const FINDING_CODES = [
  'body_too_large',
  'headers_too_large',
  'header_missing',
  'timestamp_malformed',
  'signature_malformed',
  'signature_cut',
  'secret_empty',
  'secret_is_api_key',
  'secret_of_other_environment',
  'secret_retired',
  'secret_malformed',
  'secret_wrong',
  'secret_padded',
  'body_empty',
  'body_printed_object',
  'body_of_another_delivery',
  'body_reserialized',
  'body_bom',
  'body_not_utf8',
  'body_characters_lost',
  'body_mojibake',
  'body_normalized',
  'body_crlf',
  'body_padded',
  'body_trimmed',
  'body_values_trimmed',
  'timestamp_in_milliseconds',
  'headers_of_different_tries',
  'timestamp_not_ours',
  'signature_not_ours',
  'body_number_rewritten',
  'body_spaces_changed',
  'body_keys_reordered',
  'body_slashes_escaped',
  'body_characters_escaped',
  'body_differs',
  'computed_unreadable',
  'computed_other_secret',
  'computed_secret_as_text',
  'computed_prefixed_secret_as_text',
  'computed_prefix_decoded',
  'computed_body_alone',
  'computed_id_missing',
  'computed_timestamp_missing',
  'computed_parts_swapped',
  'computed_separator',
  'computed_timestamp_in_milliseconds',
  'computed_body_reserialized',
  'computed_body_empty',
  'computed_body_printed_object',
  'computed_body_padded',
  'computed_algorithm',
  'computed_hex',
  'computed_base64url',
  'nothing_fits',
  'signature_right',
  'computed_without_version',
  'computed_one_of_several',
  'computed_right',
  'computed_consistent',
  'computed_unexplained',
  'signature_among_several',
  'secret_is_previous',
  'secret_prefix_missing',
  'timestamp_old',
  'timestamp_ahead',
  'id_not_ours',
  'delivery_unknown',
] as const;
type FindingCode = (typeof FINDING_CODES)[number];

/** Excerpts of what was sent and what was received, with control characters as escapes. */
interface Difference {
  readonly sent: string;
  readonly received: string;
}

interface DataOf {
  /** `limit`: bytes. */
  readonly body_too_large: { readonly limit: number };
  readonly headers_too_large: { readonly limit: number };
  readonly header_missing: { readonly header: string };
  readonly timestamp_malformed: { readonly value: string };
  readonly timestamp_in_milliseconds: { readonly value: string };
  readonly signature_malformed: { readonly value: string };
  /** Number of characters after `v1,`. The correct number is 44. */
  readonly signature_cut: { readonly length: number };
  readonly secret_of_other_environment: { readonly environment: string };
  readonly body_number_rewritten: Difference;
  readonly body_characters_escaped: Difference;
  readonly body_mojibake: Difference;
  /** `position`: the first byte that differs, counted from 1. */
  readonly body_differs: Difference & { readonly position: number };
  readonly computed_separator: { readonly separator: string };
  readonly computed_algorithm: { readonly algorithm: string };
  readonly signature_among_several: { readonly position: number; readonly count: number };
  /** `until`: ISO 8601. */
  readonly secret_is_previous: { readonly until: string };
  readonly timestamp_old: { readonly minutes: number };
  readonly timestamp_ahead: { readonly minutes: number };
  readonly id_not_ours: { readonly id: string };
  readonly delivery_unknown: { readonly id: string };
}

export type BareCode = Exclude<FindingCode, keyof DataOf>;

/** A result of the check of a signature, as a code with its data. It contains no secret. */
export type Finding =
  | { readonly code: BareCode; readonly data: Readonly<Record<string, never>> }
  | { [Code in keyof DataOf]: { readonly code: Code; readonly data: DataOf[Code] } }[keyof DataOf];

export function bare(...codes: readonly BareCode[]): Finding[] {
  return codes.map((code): Finding => ({ code, data: {} }));
}

/**
 * Sorts findings by importance and keeps one finding of each kind. Only findings about missing headers are all kept: one for each header.
 */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const rank = ({ code }: Finding) => FINDING_CODES.indexOf(code);
  const once = findings.filter(
    (one, index) => findings.findIndex(({ code }) => code === one.code) === index || one.code === 'header_missing',
  );
  return once.sort((a, b) => rank(a) - rank(b));
}
