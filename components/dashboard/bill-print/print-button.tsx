'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';

export function PrintButton() {
  const t = useTranslations('PrintCodes');
  return (
    <Button type="button" onClick={() => window.print()}>
      <Icon name="print" />
      {t('print')}
    </Button>
  );
}
