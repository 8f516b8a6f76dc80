'use client';

import { useTranslations } from 'use-intl/react';
import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

/** A created key. The secret is only in this answer. No address, cookie or database row contains it. */
export interface CreatedKey {
  readonly kind: 'created';
  readonly keyId: string;
  readonly secret: string;
  readonly curl: string;
  /** What happens to the key that the new key replaces; null if it replaces none. */
  readonly note: string | null;
}

interface ShownKeyProps {
  readonly created: CreatedKey;
  readonly title: string;
  readonly next: { readonly href: string; readonly text: string };
}

/** A new key with its secret, which is shown only once. */
export function ShownSecret({ created, title, next }: ShownKeyProps) {
  const t = useTranslations('Keys');
  return (
    <Focused label={title}>
      <Notice tone="good" title={title}>
        <p>{t('createdText')}</p>
        {created.note && <p>{created.note}</p>}
      </Notice>
      <CopiedValue label={t('keyId')} value={created.keyId} />
      <CopiedValue label={t('secret')} value={created.secret} />
      <CopiedValue label={t('tryIt')} value={created.curl} />
      <p>
        <a href={next.href} className="font-semibold text-brand underline">
          {next.text}
        </a>
      </p>
    </Focused>
  );
}
