import { type ComponentProps, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Field } from '@/components/ui/forms/fields';
import { caretAfterGrouping, groupAmount, usesPoints } from './group-amount';

/** A field for an amount in shillings. It groups the digits while somebody types. It reads 12.500 as 12,500 and shows this reading. */
export function AmountField(props: Omit<ComponentProps<typeof Field>, 'hint' | 'inputMode' | 'maxLength' | 'onInput'>) {
  const t = useTranslations('NewBill');
  const [read, setRead] = useState<string | null>(null);
  return (
    <Field
      {...props}
      unit="TZS"
      hint={read === null ? undefined : t('pointRead', { amount: read })}
      inputMode="decimal"
      maxLength={40}
      onInput={({ currentTarget: input }) => {
        const { value, selectionStart } = input;
        const grouped = groupAmount(value);
        if (grouped === value) return;
        setRead(usesPoints(value) ? grouped : null);
        input.value = grouped;
        const caret = caretAfterGrouping(value, selectionStart ?? value.length, grouped);
        input.setSelectionRange(caret, caret);
      }}
    />
  );
}
