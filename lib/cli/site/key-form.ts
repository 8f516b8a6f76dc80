import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { escapeHtml } from './escape';
import { pageAddress } from './pages';

const SHOWN = [
  'keyLive',
  'keyIncomplete',
  'keyUsed',
  'keyMissing',
  'edit',
  'requestBody',
  'send',
  'sending',
  'sent',
  'noAnswer',
  'errorHelp',
  'copyCurl',
  'copied',
] as const;

/** The texts that the script of the API reference shows. */
export type ReferenceTexts = Readonly<Record<(typeof SHOWN)[number], string>>;

/** Returns the form in which readers paste their sandbox key. It needs JavaScript, and is hidden without it. */
export function keyForm(locale: Locale): string {
  const t = translator(locale, 'Docs');
  const texts = JSON.stringify(Object.fromEntries(SHOWN.map((name) => [name, t(name)])));
  const text = (name: Parameters<typeof t>[0]) => escapeHtml(t(name));
  // The web process replaces both addresses by those of the installation. So the script knows whether an installation serves the page.
  return `<form class="own-key" data-texts="${escapeHtml(texts)}" data-served-at="http://localhost:3000 http://localhost:3001" data-errors="${pageAddress(locale, 'errors')}">
<label for="own-key">${text('keyPaste')}</label>
<div><input id="own-key" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="bili_sandbox_key_…:bili_sandbox_secret_…" aria-describedby="own-key-about own-key-status"><button>${text('keyUse')}</button><button type="button" class="remove" hidden>${text('keyRemove')}</button></div>
<p id="own-key-about">${text('keyAbout')} <a href="${pageAddress(locale, 'quickstart')}">${text('keyWhere')}</a></p>
<p id="own-key-status" role="status"></p>
</form>
`;
}
