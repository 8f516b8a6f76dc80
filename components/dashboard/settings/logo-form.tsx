'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { checkConnection, reportIncident } from '@/components/ui/forms/connection';
import { Checkbox } from '@/components/ui/forms/fields';
import { FileField } from '@/components/ui/forms/file-field';
import { SavedNote } from './settings-form';

/** The result of the last upload, from the query. */
export interface LogoAnswer {
  readonly saved: boolean;
  readonly problem: string | null;
}

interface LogoFormProps {
  /** The address that the image is sent to. It redirects to the settings. */
  readonly address: string;
  readonly hasLogo: boolean;
  readonly answer: LogoAnswer;
  readonly disabled: boolean;
  readonly onPick: (file: File | null) => void;
  readonly onRemove: (removed: boolean) => void;
}

/** The form for the logo. With JavaScript, the other forms of the page keep their typed values. Without it, the page is loaded again. */
export function LogoForm({ address, hasLogo, answer, disabled, onPick, onRemove }: LogoFormProps) {
  const t = useTranslations('Settings');
  const router = useRouter();
  const [removed, setRemoved] = useState(false);
  const [sending, setSending] = useState(false);
  const [lost, setLost] = useState(false);
  const remove = (value: boolean) => {
    setRemoved(value);
    onRemove(value);
  };

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    // The fields are read before they are disabled, because FormData does not contain disabled fields.
    const body = new FormData(form);
    setSending(true);
    const connection = await checkConnection();
    if (connection !== 'open') {
      setSending(false);
      return reportIncident({ trouble: connection, again: () => form.requestSubmit(), repeatable: false });
    }
    try {
      const { url } = await fetch(address, { method: 'POST', body });
      form.reset();
      remove(false);
      onPick(null);
      setLost(false);
      const { pathname, search } = new URL(url);
      router.replace(pathname + search, { scroll: false });
      router.refresh();
    } catch {
      setLost(true);
    } finally {
      setSending(false);
    }
  }

  return (
    <form method="post" action={address} encType="multipart/form-data" onSubmit={send} aria-label={t('saveLogo')}>
      <fieldset disabled={disabled || sending} className="grid min-w-0 gap-4">
        <FileField
          id="logo"
          accept="image/png,image/jpeg,image/webp,image/gif"
          label={t('logo')}
          hint={t('logoHint')}
          problem={lost ? t('logoLost') : (answer.problem ?? undefined)}
          choose={t('logoChoose')}
          none={t('logoNone')}
          onPick={onPick}
        />
        {hasLogo && (
          <Checkbox
            id="removeLogo"
            value="on"
            label={t('removeLogo')}
            checked={removed}
            onChange={(event) => remove(event.target.checked)}
          />
        )}
        {!disabled && (
          <div className="flex flex-wrap items-center gap-4">
            <Button look="plain" className="justify-self-start">
              {sending ? t('saving') : t('saveLogo')}
            </Button>
            <SavedNote text={answer.saved && !sending ? t('saved') : null} />
          </div>
        )}
      </fieldset>
    </form>
  );
}
