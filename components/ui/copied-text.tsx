'use client';

import { useTranslations } from 'use-intl/react';
import { Icon } from './icon';
import { useCopy } from './use-copy';

interface CopiedTextProps {
  /** What the text is, for screen readers. */
  readonly label: string;
  readonly text: string;
}

/** A text within a line, with a button that copies it. A click on the text selects it, for browsers that cannot copy. */
export function CopiedText({ label, text }: CopiedTextProps) {
  const t = useTranslations('Shell');
  const [done, copy] = useCopy(text);
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      <span className="min-w-0 font-mono text-small wrap-anywhere select-all">{text}</span>
      <button
        type="button"
        aria-label={done ? t('copied') : `${t('copy')}: ${label}`}
        title={done ? t('copied') : t('copy')}
        onClick={copy}
        className="-my-1 inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name={done ? 'check' : 'copy'} className={done ? 'size-4 text-good-ink' : 'size-4'} />
      </button>
    </span>
  );
}
