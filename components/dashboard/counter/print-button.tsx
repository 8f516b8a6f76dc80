'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';

/** Opens the print dialog of the browser. */
export function PrintButton() {
  const t = useTranslations('Counter');
  return (
    <Button type="button" onClick={() => window.print()}>
      <Icon name="print" />
      {t('print')}
    </Button>
  );
}
