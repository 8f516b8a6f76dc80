import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

interface ReceiptCodeFormProps {
  readonly typed?: string;
  /** Whether the typed text cannot be a receipt code. */
  readonly malformed?: boolean;
  readonly locale: Locale;
}

/** The field for the code of a receipt, which leads to its verification. */
export function ReceiptCodeForm({ typed = '', malformed = false, locale }: ReceiptCodeFormProps) {
  const t = translator(locale, 'Verify');
  return (
    <form action="/verify">
      <input type="hidden" name="lang" value={locale} />
      <label htmlFor="code">{t('codeLabel')}</label>
      <input
        id="code"
        name="code"
        required
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={typed}
        aria-describedby={malformed ? 'problem hint' : 'hint'}
        aria-invalid={malformed || undefined}
      />
      {malformed && (
        <p id="problem" className="error" role="alert">
          {t('malformed')}
        </p>
      )}
      <p id="hint" className="hint">
        {t('codeHint')}
      </p>
      <button type="submit">{t('check')}</button>
    </form>
  );
}
