import type { Locale } from '@/lib/i18n/locale';
import { markdownAddress } from './pages';
import type { Source } from './sources';

/** Returns the content of `/llms.txt`: what the service is, and the Markdown of each page, for programs that read the documentation. */
export function llmsText(sources: readonly Source[]): string {
  const list = (locale: Locale) =>
    sources
      .filter((source) => source.locale === locale)
      .map(({ slug, title, summary }) => `- [${title}](${markdownAddress(locale, slug)}): ${summary}`)
      .join('\n');
  return `# Bili

> Bili is a payment gateway for bills in Tanzania. A server creates a bill through an HTTP API. The customer approves a mobile-money prompt, or pays on the bill's web page. The server gets a signed webhook.

- Live API: http://localhost:3000/api/v3
- Sandbox API: http://localhost:3001/api/v3
- The body of an error has one member, \`error\`. The header \`Bili-Error\` has its code.

## Documentation

${list('en')}

## Kiswahili

${list('sw')}
`;
}
