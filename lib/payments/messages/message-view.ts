import type { ListedMessage } from './message-store';
import { prettyJson, prettyXml } from './pretty-text';

/** The maximal number of bytes of a body that are shown. */
export const BODY_MAX = 16 * 1024;
const MASK = '•••';

const SECRET = /auth|token|secret|cookie|password|passwd|credential|signature|session|api[-_]?key|private[-_]?key|\bpin\b/i;

/** A provider message, formatted for people. Its texts come from outside and must not be trusted. */
export interface MessageView extends Omit<ListedMessage, 'headers' | 'body' | 'size'> {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether only the beginning of the body is shown. */
  readonly cut: boolean;
}

/** Formats a message: indents JSON and XML, masks secrets, and removes control characters. */
export function viewMessage({ headers, body, size, ...message }: ListedMessage): MessageView {
  const text = new TextDecoder().decode(body);
  return {
    ...message,
    headers: Object.entries(headers).map(([name, value]) => [visible(name), SECRET.test(name) ? MASK : visible(maskTexts(String(value)))]),
    body: visible(maskTexts(prettyJson(text) ?? prettyXml(text) ?? text)).trim(),
    cut: size > body.length,
  };
}

/** Masks secrets anywhere in a text: in JSON members, XML elements, form fields, authorization headers and callback addresses. */
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

/** Removes control characters, and characters that change the direction of the text around them. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}
