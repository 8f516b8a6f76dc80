import { CopyButton } from '@/components/ui/copied-value';
import { Card } from '@/components/ui/layout';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

interface MessageProps {
  readonly id: string;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Shown instead of a missing body. */
  readonly noBody: string;
  readonly locale: Locale;
}

/** A request or an answer: its headers and its body. */
export function Message({ id, title, headers, body, noBody, locale }: MessageProps) {
  const t = translator(locale, 'Requests');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Card id={id} title={title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Part label={t('headers')} text={lines.join('\n')} none={t('noHeaders')} />
        <Part label={t('body')} text={body ?? ''} none={noBody} copy={t('copyBody')} />
      </div>
    </Card>
  );
}

function Part({
  label,
  text,
  none,
  copy,
}: {
  readonly label: string;
  readonly text: string;
  readonly none: string;
  readonly copy?: string;
}) {
  return (
    <div>
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h3 className="text-sm text-muted">{label}</h3>
        {copy && text !== '' && <CopyButton value={text} label={copy} />}
      </div>
      {text === '' ? (
        <p className="text-sm">{none}</p>
      ) : (
        <pre className="mt-1 rounded-lg bg-ground p-3 text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>
      )}
    </div>
  );
}
