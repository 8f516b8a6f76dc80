import { addressPattern } from './route-files';
import type { Known } from './values';

/** Values for path parameters, by the segment before the parameter. */
const SEGMENTS: Readonly<Record<string, (known: Known) => string>> = {
  'm/[merchant]': ({ merchant }) => merchant.slug,
  '[merchant]/[environment]': () => 'sandbox',
  'bills/[id]': ({ ids }) => ids.bill,
  'import/[run]': ({ ids }) => ids.import,
  'keys/[id]': ({ ids }) => ids.key,
  'requests/[id]': ({ ids }) => ids.request,
  'deliveries/[id]': ({ ids }) => ids.delivery,
  'resend/[run]': ({ ids }) => ids.run,
  'shift/[shift]': ({ ids }) => ids.attempt,
  'invitation/[token]': () => 'guessed',
  'callbacks/[provider]': () => 'sandbox',
  '[provider]/[token]': () => 'guessed',
  'auth/[...nextauth]': () => 'error',
  'v1/[[...path]]': () => 'bills',
  'v2/[[...path]]': () => 'bills',
  'v3/[[...path]]': () => 'nothing',
  'docs/[[...path]]': () => 'errors',
  'p/[[...path]]': () => 'guessed',
  'phone/[[...path]]': () => 'guessed',
  'logo/[[...path]]': () => 'guessed/guessed',
  'picture/[[...path]]': () => 'guessed/bill.png',
};

/** Returns the parameters of the path of a page or route, such as `bills/[id]`. */
export function segmentsOf(file: string): string[] {
  const segments = addressPattern(file).split('/');
  return segments.flatMap((segment, at) => (segment.startsWith('[') ? [`${segments[at - 1] ?? ''}/${segment}`] : []));
}

/**
 * Returns the path of a page or route with values for its parameters. Throws if a parameter has no value.
 * @param file the file of a page or route, or its folder.
 * @param values values of parameters that differ from the test's defaults.
 */
export function addressOf(file: string, known: Known, values: Readonly<Record<string, string>> = {}): string {
  const segments = addressPattern(file).split('/');
  const filled = segments.map((segment, at) => {
    if (!segment.startsWith('[')) return segment;
    const name = `${segments[at - 1] ?? ''}/${segment}`;
    const value = values[name] ?? SEGMENTS[name]?.(known);
    if (value === undefined) throw new Error(`add to SEGMENTS what stands for ${name} of ${file}`);
    return value;
  });
  return `/${filled.join('/')}`;
}
