import { CopyButton } from '@/components/ui/copy-button';
import { type Locale, translator } from '@/lib/i18n/translator';

interface OperatorLineProps {
  readonly merchant: string;
  readonly environment: string;
  readonly url: string | null;
  readonly locale: Locale;
}

/** Who sets the address, and what to ask them. */
export function OperatorLine({ merchant, environment, url, locale }: OperatorLineProps) {
  const t = translator(locale, 'Hooks');
  const shell = translator(locale, 'Shell');
  const line = `npm run -s bili -- webhook set --merchant ${merchant} --environment ${environment} --url ${url ?? 'https://shop.example.com/bili'}`;
  return (
    <div>
      <p className="max-w-prose text-sm text-muted">{t('byOperator')}</p>
      <div className="mt-2 grid items-start justify-items-start gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
        <code className="w-full min-w-0 rounded-lg bg-ground p-3 text-sm wrap-anywhere select-all">{line}</code>
        <CopyButton value={line} label={t('copyLine')} copy={shell('copy')} copied={shell('copied')} />
      </div>
    </div>
  );
}
