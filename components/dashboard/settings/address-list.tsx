'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Field } from '@/components/ui/forms/fields';

interface AddressListProps {
  readonly topic: string;
  readonly title: string;
  /** The addresses, one per line. */
  readonly addresses: string;
  readonly problem: string | undefined;
  readonly most: number;
}

/** The recipients of a topic: one field for each address, and an empty one at the end. An address is removed by emptying its field. */
export function AddressList({ topic, title, addresses, problem, most }: AddressListProps) {
  const t = useTranslations('Settings');
  const first = [...addresses.split('\n').filter((one) => one !== ''), ''];
  const [rows, setRows] = useState(first.length);
  const shown = Math.min(most, Math.max(rows, first.length));
  return (
    <fieldset className="grid max-w-md gap-2">
      <legend className="mb-1 text-small text-muted">{t('notifyTo')}</legend>
      {Array.from({ length: shown }, (_, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position.
          key={index}
          id={index === 0 ? topic : `${topic}-${index + 1}`}
          name={topic}
          label={index === 0 ? t('notifyToOf', { topic: title }) : t('notifyToOfMore', { topic: title, number: index + 1 })}
          labelHidden
          defaultValue={first[index] ?? ''}
          placeholder={index === 0 ? t('notifyToAll') : t('notifyToMore')}
          problem={index === 0 ? problem : undefined}
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
          maxLength={200}
          onChange={(event) => {
            if (index === shown - 1 && event.target.value !== '') setRows(shown + 1);
          }}
        />
      ))}
    </fieldset>
  );
}
