'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useState } from 'react';
import { type ShopLook, ShopPhone } from '@/components/dashboard/shop-phone';
import { Button } from '@/components/ui/button';
import { checkConnection, reportIncident } from '@/components/ui/forms/connection';
import { Checkbox, Field, Select } from '@/components/ui/forms/fields';
import { FileField } from '@/components/ui/forms/file-field';
import { Icon } from '@/components/ui/icon';
import { useTranslations } from '@/components/ui/texts';
import { formatSupportNumber, paletteOf, parseSupportNumber, shopMark } from '@/lib/identity/merchants/brand-rules';
import { formatColour, parseColour, type Rgb, WHITE } from '@/lib/platform/core/colour';
import { SavedNote, SettingsForm, type SettingsProps } from './forms';

interface BusinessFormProps extends SettingsProps<'name' | 'language' | 'colour' | 'support'> {
  readonly logo: PreviewLogo | null;
  /** The address that a new logo is sent to. */
  readonly logoAddress: string;
  readonly logoAnswer: LogoAnswer;
}

/** Colours to choose from. White text on each of them can be read. */
const COLOURS = {
  green: '#0b5d3b',
  teal: '#0f6b74',
  blue: '#1d4f9c',
  purple: '#5b3a99',
  pink: '#a3195b',
  red: '#a81c1c',
  orange: '#b34a00',
  brown: '#5d4037',
} as const;
type ColourName = keyof typeof COLOURS;
const isColourName = (name: string): name is ColourName => name in COLOURS;

interface ColoursProps {
  /** The chosen colour as `#rrggbb`; null if there is none, or if it cannot be read. */
  readonly chosen: string | null;
  readonly onChoose: (colour: string) => void;
}

/** The colours to choose from, and the browser's field for any other. Without JavaScript, people type the colour. */
function Colours({ chosen, onChoose }: ColoursProps) {
  const t = useTranslations('Settings');
  return (
    <fieldset className="grid gap-1.5 [@media(scripting:none)]:hidden">
      <legend className="mb-1.5 font-semibold">{t('colour')}</legend>
      <div className="flex flex-wrap gap-2">
        {Object.keys(COLOURS)
          .filter(isColourName)
          .map((name) => (
            <button
              key={name}
              type="button"
              title={t(`colour_${name}`)}
              aria-label={t(`colour_${name}`)}
              aria-pressed={chosen === COLOURS[name]}
              onClick={() => onChoose(COLOURS[name])}
              className="grid size-11 cursor-pointer place-items-center rounded-full border-2 border-surface outline outline-edge aria-pressed:outline-3 aria-pressed:outline-ink"
              style={{ background: COLOURS[name], color: formatColour(WHITE) }}
            >
              {chosen === COLOURS[name] && <Icon name="check" className="size-5" />}
            </button>
          ))}
        <input
          type="color"
          title={t('pick')}
          aria-label={t('pick')}
          value={chosen ?? COLOURS.green}
          onChange={(event) => onChoose(event.target.value)}
          className="size-11 cursor-pointer rounded-full border border-edge bg-surface p-1"
        />
      </div>
    </fieldset>
  );
}

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
          {({ typed, problems, field, touch }) => (
            <>
              <Field
                id="name"
                label={t('name')}
                hint={t('nameHint')}
                value={name}
                onChange={(event) => setName(event.target.value)}
                problem={problems?.name}
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
                problem={problems?.support}
                maxLength={30}
                autoComplete="off"
              />
              <Select
                key={typed.language}
                {...field('language')}
                label={t('languageLabel')}
                hint={t('languageHint')}
                options={(['browser', 'sw', 'en'] as const).map((value) => ({ value, text: t(`language_${value}`) }))}
              />
              <Colours
                chosen={rgb && formatColour(rgb)}
                onChoose={(chosen) => {
                  setColour(chosen);
                  touch();
                }}
              />
              <Field
                id="colour"
                label={t('ownColour')}
                value={colour}
                onChange={(event) => setColour(event.target.value)}
                problem={problems?.colour}
                hint={t('colourHint')}
                maxLength={20}
                autoComplete="off"
                spellCheck={false}
              />
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
      <BrandPreview merchant={name} rgb={rgb} support={support} logo={picked ? { src: picked } : removed ? null : logo} />
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

type PreviewLogo = NonNullable<ShopLook['logo']>;

const AMOUNT = 'TZS\u00a012,500';

interface BrandPreviewProps {
  readonly merchant: string;
  readonly rgb: Rgb | null;
  readonly support: string;
  readonly logo: PreviewLogo | null;
}

/** The payment page with the chosen name, logo, colour and number. It looks the same in the dark theme. */
function BrandPreview({ merchant, rgb, support, logo }: BrandPreviewProps) {
  const t = useTranslations('Settings');
  const mark = shopMark(merchant, rgb && formatColour(rgb));
  const palette = rgb && paletteOf(rgb);
  const [fill = mark.fill, onFill = mark.onFill, ink = mark.fill] = palette
    ? [palette.fill, palette.onFill, palette.ink].map(formatColour)
    : [];
  const number = parseSupportNumber(support);
  return (
    <section aria-label={t('preview')} className="grid content-start gap-3">
      <h3 className="font-semibold">{t('preview')}</h3>
      <ShopPhone {...{ merchant, logo, mark }} header={palette && { fill, onFill }} through={t('previewThrough')}>
        <p className="text-3xl font-bold tabular-nums">{AMOUNT}</p>
        <span className="rounded-lg px-3 py-2 text-center font-semibold" style={{ background: ink, color: formatColour(WHITE) }}>
          {t('previewPay', { amount: AMOUNT })}
        </span>
        {number && (
          <span className="text-center text-sm underline" style={{ color: ink }}>
            {t('previewCall', { number: formatSupportNumber(number) })}
          </span>
        )}
      </ShopPhone>
      {rgb && (
        <>
          <p className="text-sm text-muted">{t('palette')}</p>
          <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
            <Swatch colour={formatColour(rgb)} name={t('palette_chosen')} />
            <Swatch colour={fill} name={t('palette_fill')} />
            <Swatch colour={ink} name={t('palette_ink')} />
          </ul>
        </>
      )}
    </section>
  );
}

function Swatch({ colour = '', name }: { readonly colour: string | undefined; readonly name: string }) {
  return (
    <li className="flex items-center gap-2">
      <span aria-hidden="true" className="size-6 rounded border border-edge" style={{ background: colour }} />
      <span>
        {name} <code>{parseColour(colour) && colour}</code>
      </span>
    </li>
  );
}

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
function LogoForm({ address, hasLogo, answer, disabled, onPick, onRemove }: LogoFormProps) {
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
