import type { Place } from '@/components/dashboard/place';
import { CopiedValue } from '@/components/ui/copied-value';
import { type Locale, translator } from '@/lib/i18n/translator';

interface OperatorLineProps {
  readonly place: Place;
  readonly url: string | null;
  readonly locale: Locale;
}

/** Says that the operator sets the address, and shows the command. */
export function OperatorLine({ place: { merchant, environment }, url, locale }: OperatorLineProps) {
  const t = translator(locale, 'Hooks');
  const line = `npm run -s bili -- webhook set --merchant ${merchant} --environment ${environment} --url ${url ?? 'https://shop.example.com/bili'}`;
  return (
    <div>
      <p className="mb-2 max-w-prose text-sm text-muted">{t('byOperator')}</p>
      <CopiedValue label={t('operatorLine')} value={line} />
    </div>
  );
}
