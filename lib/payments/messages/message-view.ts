import type { ListedMessage } from './message-store';
import { prettyJson, prettyXml } from './pretty-text';

/** How much of a body is shown, bytes. */
export const BODY_MAX = 16 * 1024;
const MASK = '•••';

const SECRET = /auth|token|secret|cookie|password|passwd|credential|signature|session|api[-_]?key|private[-_]?key|\bpin\b/i;

/** What a provider said, ready to be read by people. It is the provider's: nothing in it may be trusted. */
export interface MessageView extends Omit<ListedMessage, 'headers' | 'body' | 'size'> {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether there is more of the body than is shown. */
  readonly cut: boolean;
}

/** Pure. Indents JSON and XML, hides what opens doors, and drops characters that would change how the rest is shown. */
export function viewMessage({ headers, body, size, ...message }: ListedMessage): MessageView {
  const text = new TextDecoder().decode(body);
  return {
    ...message,
    headers: Object.entries(headers).map(([name, value]) => [visible(name), SECRET.test(name) ? MASK : visible(maskTexts(String(value)))]),
    body: visible(maskTexts(prettyJson(text) ?? prettyXml(text) ?? text)).trim(),
    cut: size > body.length,
  };
}

/** Members, elements, form fields and addresses that carry a secret, wherever in a text they stand. */
function maskTexts(text: string): string {
  return text
    .replace(/("([^"\\]{1,80})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[^\s",{}[\]]+)/g, (all, start: string, name: string) =>
      SECRET.test(name) ? `${start}"${MASK}"` : all,
    )
    .replace(/(<([\w:.-]{1,80})[^<>]*>)[^<>]+(?=<\/)/g, (all, start: string, name: string) => (SECRET.test(name) ? start + MASK : all))
    .replace(/([?&]|^)([\w.-]{1,80})=[^&\s"'<>]+/g, (all, start: string, name: string) =>
      SECRET.test(name) ? `${start}${name}=${MASK}` : all,
    )
    .replace(/\b(Bearer|Basic|ApiKey)\s+[^\s"'<>,]+/gi, `$1 ${MASK}`)
    .replace(/(\/callbacks\/[\w-]+\/)[^\s"'<>/?#\\]+/g, `$1${MASK}`);
}

/** Without control characters, and without those that turn the direction of what stands around them. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}
