import { LOCALES, type Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** The mark of who sends a mail: the initial of the name, in a circle. The colours are `#rrggbb`. */
export interface SenderMark {
  readonly name: string;
  readonly initial: string;
  readonly fill: string;
  /** The colour of the initial. */
  readonly onFill: string;
}

/** Between the languages of a mail. */
export const LANGUAGE_LINE = '---';
/** Before the lines that say who sends a mail and why: RFC 3676, section 4.3. */
export const SIGNATURE_LINE = '-- ';

interface MailHtmlOptions {
  readonly subject: string;
  readonly text: string;
  readonly sender: SenderMark;
  /** The address of the dashboard. The HTML links to no other address. */
  readonly base: URL;
}

/** A line that is only a link, with or without a label before it: `Sign in: https://…`. */
const LINK_LINE = /^(?:(?<label>.*\S):\s+)?(?<url>https?:\/\/\S+)$/;

/**
 * Returns the HTML part of a mail, made from its text part, so that both always say the same. A line of the text that is only a label and a
 * link to our own address becomes a link. The first one with a label becomes the button of its language. Everything else is text.
 * It has no table and no picture: Outlook ignores the rounded corners, and mail programs load nothing from elsewhere.
 */
export function mailHtml({ subject, text, sender, base }: MailHtmlOptions): string {
  const [body = '', signature = ''] = text.split(`\n${SIGNATURE_LINE}\n`);
  const parts = body.split(`\n${LANGUAGE_LINE}\n`);
  const subjects = parts.length > 1 ? subject.split(' / ') : [subject];
  const languages = languagesOf(signature);
  const cards = parts.map((part, index) =>
    card({ subject: subjects.length === parts.length ? subjects[index] : subject, part, language: languages[index], sender, base }),
  );
  const { name, initial, fill, onFill } = sender;
  return `<!doctype html>
<html lang="${languages[0] ?? 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeText(subject)}</title>
<style>@media(prefers-color-scheme:dark){.g{background:#101613!important;color:#e6ede8!important}.c{background:#18211c!important;border-color:#3a4a41!important}.m,.m a{color:#a5b5ab!important}.l{color:#5fcf98!important}}</style></head>
<body class="g" style="margin:0;background:#f3f5f2;color:#14231c"><div class="g" style="max-width:600px;margin:0 auto;padding:24px 12px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<p style="margin:0 0 16px;font-size:18px;font-weight:bold"><span style="display:inline-block;width:40px;line-height:40px;border-radius:20px;background:${fill};color:${onFill};text-align:center;vertical-align:middle">${escapeText(initial)}</span> <span style="display:inline-block;max-width:80%;margin-left:8px;vertical-align:middle">${escapeText(name)}</span></p>
${cards.join('\n')}
<p class="m" style="margin:16px 0 0;color:#46584e;font-size:13px">${lines(signature, base)}</p>
</div></body></html>
`;
}

interface CardOptions extends Pick<MailHtmlOptions, 'sender' | 'base'> {
  readonly subject: string | undefined;
  readonly part: string;
  readonly language: Locale | undefined;
}

/** The words before the name of the sender in each language. */
const SENDERS = LOCALES.map((locale) => ({ locale, words: translator(locale, 'MailSignature')('sender', { sender: '' }).trim() }));

/** Returns the languages of a mail in their order, by its signature. A test mail has no signature and is English. */
function languagesOf(signature: string): Locale[] {
  return signature.split('\n').flatMap((row) => SENDERS.find(({ words }) => row.startsWith(words))?.locale ?? []);
}

/** Returns one language of a mail: the subject as its title, the paragraphs, and the button. */
function card({ subject = '', part, language = 'en', sender, base }: CardOptions): string {
  const paragraphs = part.trim().split(/\n{2,}/);
  let isButtonShown = false;
  const shown = paragraphs.map((paragraph) => {
    const rows = paragraph.split('\n');
    const at = isButtonShown ? -1 : rows.findIndex((row) => readLink(row, base)?.label);
    const link = readLink(rows[at] ?? '', base);
    if (!link) return `<p style="margin:12px 0 0">${lines(paragraph, base)}</p>`;
    isButtonShown = true;
    const [before, after] = [rows.slice(0, at), rows.slice(at + 1)].map((some) =>
      some.length > 0 ? `<p style="margin:12px 0 0">${lines(some.join('\n'), base)}</p>` : '',
    );
    return `${before}${button(link, sender)}${after}`;
  });
  return `<div class="c" lang="${language}" style="margin:0 0 12px;padding:24px;border:1px solid #d5ddd7;border-radius:12px;background:#ffffff;word-wrap:break-word;overflow-wrap:anywhere"><h1 style="margin:0;font-size:20px;line-height:1.3">${escapeText(subject)}</h1>
${shown.join('\n')}</div>`;
}

/** Outlook ignores the padding of a link. */
const OUTLOOK_PADDING = '<!--[if mso]><i style="mso-font-width:200%;mso-text-raise:12pt">&emsp;</i><![endif]-->';

/** Returns the button with its address below, for people who want to read or copy it. */
function button({ label, url }: Link, { fill, onFill }: SenderMark): string {
  return `<p style="margin:20px 0 0"><a href="${escapeText(url)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${fill};color:${onFill};font-weight:bold;text-decoration:none;mso-padding-alt:0">${OUTLOOK_PADDING}${escapeText(label)}${OUTLOOK_PADDING}</a></p>
<p class="m" style="margin:8px 0 0;color:#46584e;font-size:13px">${anchor(url, url)}</p>`;
}

interface Link {
  readonly label: string;
  readonly url: string;
}

/** Returns the link of a line that is only a link to our own address. The label is empty if the line has none. */
function readLink(line: string, base: URL): Link | null {
  const { label = '', url = '' } = LINK_LINE.exec(line)?.groups ?? {};
  return URL.parse(url)?.origin === base.origin ? { label, url } : null;
}

/** Returns a paragraph as HTML. A last line that is only a link becomes the link of the first line. */
function lines(text: string, base: URL): string {
  const rows = text.trim().split('\n');
  const last = rows.length > 1 ? readLink(rows.at(-1) ?? '', base) : null;
  const [first = '', ...others] = last?.label === '' ? rows.slice(0, -1) : rows;
  const shown = [last?.label === '' ? anchor(last.url, first) : line(first, base), ...others.map((row) => line(row, base))];
  return shown.join('<br>\n');
}

function line(text: string, base: URL): string {
  const link = readLink(text, base);
  return link ? anchor(link.url, link.label || link.url) : escapeText(text);
}

function anchor(url: string, text: string): string {
  return `<a class="l" href="${escapeText(url)}" style="color:#0b5d3b">${escapeText(text)}</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
