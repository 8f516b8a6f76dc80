'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Field, Select } from '@/components/ui/forms/fields';
import { formatColour, parseColour } from '@/lib/core/colour';
import { BrandPreview, type PreviewLogo } from './brand-preview';
import { type LogoAnswer, LogoForm } from './logo-form';
import { SettingsForm, type SettingsProps } from './settings-form';

interface BusinessFormProps extends SettingsProps<'name' | 'language' | 'colour' | 'support'> {
  readonly logo: PreviewLogo | null;
  /** The address that a new logo is sent to. */
  readonly logoAddress: string;
  readonly logoAnswer: LogoAnswer;
}

/** The initial colour of the browser's colour field, which cannot be empty. */
const NO_COLOUR = '#0b5d3b';

/** The forms for what customers see of the business, with a preview of the payment page. */
export function BusinessForm({ logo, logoAddress, logoAnswer, ...props }: BusinessFormProps) {
  const t = useTranslations('Settings');
  const [name, setName] = useState(props.now.name);
  const [colour, setColour] = useState(props.now.colour);
  const [support, setSupport] = useState(props.now.support);
  const [removed, setRemoved] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const picked = useObjectUrl(file);
  const rgb = parseColour(colour.trim());
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <div className="grid content-start gap-6">
        <SettingsForm {...props}>
          {({ typed, problems }) => (
            <>
              <Field
                id="name"
                label={t('name')}
                hint={t('nameHint')}
                value={name}
                onChange={(event) => setName(event.target.value)}
                problem={problems.name}
                required
                maxLength={100}
                autoComplete="organization"
              />
              <Field
                id="support"
                type="tel"
                label={t('support')}
                hint={t('supportHint')}
                value={support}
                onChange={(event) => setSupport(event.target.value)}
                problem={problems.support}
                maxLength={30}
                autoComplete="off"
              />
              <Select
                key={typed.language}
                id="language"
                label={t('languageLabel')}
                hint={t('languageHint')}
                defaultValue={typed.language}
                options={(['browser', 'sw', 'en'] as const).map((value) => ({ value, text: t(`language_${value}`) }))}
              />
              <div className="flex items-start gap-3">
                <div className="min-w-0 flex-1">
                  <Field
                    id="colour"
                    label={t('colour')}
                    value={colour}
                    onChange={(event) => setColour(event.target.value)}
                    problem={problems.colour}
                    hint={t('colourHint')}
                    maxLength={20}
                    autoComplete="off"
                    spellCheck={false}
                  />
                </div>
                <input
                  type="color"
                  aria-label={t('pick')}
                  value={rgb ? formatColour(rgb) : NO_COLOUR}
                  onChange={(event) => setColour(event.target.value)}
                  className="mt-7 h-control w-14 shrink-0 cursor-pointer rounded-lg border border-edge bg-surface p-1"
                />
              </div>
            </>
          )}
        </SettingsForm>
        <LogoForm
          address={logoAddress}
          hasLogo={logo !== null}
          answer={logoAnswer}
          disabled={props.disabled}
          onPick={setFile}
          onRemove={setRemoved}
        />
      </div>
      <BrandPreview merchant={name} rgb={rgb} support={support} logo={picked ? { url: picked } : removed ? null : logo} />
    </div>
  );
}

/** Returns the object URL of a file that was chosen but not sent yet. */
function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setUrl(null);
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [file]);
  return url;
}
