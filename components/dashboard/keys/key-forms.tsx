'use client';

import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { DateField } from '@/components/ui/forms/date-field';
import { Checkbox, Field, Select, Textarea } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { EMPTY_KEY_FORM } from '@/lib/identity/keys/empty-form';
import type { KeyFormValues } from '@/lib/identity/keys/key-form';

interface ChangeKeyFormProps {
  /** Its result is the result of saving, as a text. */
  readonly action: FormAction<KeyField, string>;
  readonly keyId: string;
  readonly labelMax: number;
  readonly present: string;
  readonly first: KeyFormValues;
}

export function ChangeKeyForm({ action, keyId, labelMax, present, first }: ChangeKeyFormProps) {
  const t = useTranslations('KeyPage');
  const { sender, done, ...form } = useFormAction(action, first);
  return (
    <Fold title={t('change')} open={form.problems !== undefined || done !== undefined}>
      <ActionForm action={sender} hidden={{ key: keyId }} className="grid max-w-2xl gap-4 pt-2 pb-3">
        <KeyFields {...form} labelMax={labelMax} present={present} />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton sending={t('saving')}>{t('save')}</SubmitButton>
          <p role="status" className="font-semibold text-good-ink">
            {done}
          </p>
        </div>
      </ActionForm>
    </Fold>
  );
}

const OVERLAPS = ['hour', 'day', 'week', 'open'] as const;

interface RollKeyFormProps {
  readonly action: FormAction<'overlap', CreatedKey>;
  readonly keyId: string;
  /** True if the key has a working successor. Such a key cannot be rolled again. */
  readonly rolled: boolean;
  /** The address of the key's page. After the key was rolled, a link leads to it. */
  readonly again: string;
}

export function RollKeyForm({ action, keyId, rolled, again }: RollKeyFormProps) {
  const t = useTranslations('KeyPage');
  const { sender, typed, problems, done, field } = useFormAction(action, { overlap: 'day' });
  if (done) return <ShownSecret created={done} title={t('rolledTitle')} next={{ href: again, text: t('dropTitle') }} />;
  return (
    <Fold title={t('roll')} open={problems !== undefined}>
      {rolled ? (
        <p className="pb-3">{t('rolled_before')}</p>
      ) : (
        <ActionForm action={sender} hidden={{ key: keyId }} className="grid max-w-xl gap-4 pt-2 pb-3">
          <p>{t('rollText')}</p>
          <Select
            key={typed.overlap}
            {...field('overlap')}
            label={t('overlap')}
            options={OVERLAPS.map((value) => ({ value, text: t(`overlap_${value}`) }))}
          />
          <SubmitButton sending={t('rolling')}>{t('rollNow')}</SubmitButton>
        </ActionForm>
      )}
    </Fold>
  );
}

/** A created key. The secret is only in this answer. No address, cookie or database row contains it. */
interface CreatedKey {
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
function ShownSecret({ created, title, next }: ShownKeyProps) {
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

interface CreateKeyFormProps {
  readonly action: FormAction<KeyField, CreatedKey>;
  readonly labelMax: number;
  /** The address of the page with this form. After a key is created, a link leads to it, so that the form is shown again. */
  readonly again: string;
}

export function CreateKeyForm({ action, labelMax, again }: CreateKeyFormProps) {
  const t = useTranslations('Keys');
  const { sender, done, ...form } = useFormAction(action, EMPTY_KEY_FORM);
  if (done) return <ShownSecret created={done} title={t('createdTitle')} next={{ href: again, text: t('again') }} />;
  return (
    <ActionForm action={sender} className="grid max-w-2xl gap-4">
      <KeyFields {...form} labelMax={labelMax} />
      <SubmitButton sending={t('creating')}>{t('create')}</SubmitButton>
    </ActionForm>
  );
}

type KeyField = keyof KeyFormValues;

const LIFETIMES = ['never', '30', '90', '365', 'date'] as const;
const AMOUNTS = ['billMax', 'dayMax'] as const;

interface KeyFieldsProps extends Pick<ReturnType<typeof useFormAction<KeyField, unknown>>, 'typed' | 'problems' | 'field'> {
  readonly labelMax: number;
  /** The current expiry of an existing key as a text, offered as a choice. */
  readonly present?: string;
}

function KeyFields({ typed, problems, field, labelMax, present }: KeyFieldsProps) {
  const t = useTranslations('KeyPage');
  const asked = (name: Exclude<KeyField, 'expiry' | 'scopes'>) => ({ ...field(name), label: t(name), hint: t(`${name}Hint`) });
  const lifetimes = LIFETIMES.map((value) => ({ value, text: t(`expiry_${value}`) }));
  const choices = present === undefined ? lifetimes : [{ value: 'keep', text: t('expiry_keep', { until: present }) }, ...lifetimes];
  const limited = [typed.networks, typed.billMax, typed.dayMax].some(Boolean);
  return (
    <>
      <Field {...asked('label')} maxLength={labelMax} required autoComplete="off" />
      <div className="group/expiry grid gap-4 sm:grid-cols-2">
        {/* A form reset restores the first value of a select. The key re-creates it with the chosen value. */}
        <Select key={typed.expiry} {...field('expiry')} label={t('expiry')} options={choices} />
        <div className={problems?.expiryDay ? '' : 'hidden group-has-[[value=date]:checked]/expiry:block'}>
          <DateField {...asked('expiryDay')} />
        </div>
      </div>
      <ScopeFields typed={typed.scopes ?? ''} problem={problems?.scopes} />
      <Fold title={t('limits')} open={limited || (problems !== undefined && problems.scopes === undefined)}>
        <div className="grid gap-4 pt-2">
          <div className="grid gap-4 sm:grid-cols-2">
            {AMOUNTS.map((name) => (
              <Field key={name} {...asked(name)} inputMode="decimal" autoComplete="off" maxLength={30} />
            ))}
          </div>
          <Textarea {...asked('networks')} maxLength={5000} spellCheck={false} />
        </div>
      </Fold>
    </>
  );
}

/** What the key may be used for. @param typed the chosen scopes, separated by spaces */
function ScopeFields({ typed, problem }: { readonly typed: string; readonly problem: string | undefined }) {
  const t = useTranslations('KeyScopes');
  const chosen = typed.split(' ');
  return (
    <fieldset aria-describedby={problem && 'scopes-problem'} className="grid gap-1">
      <legend className="font-semibold">{t('title')}</legend>
      {problem && (
        <p id="scopes-problem" role="alert" className="text-danger">
          {problem}
        </p>
      )}
      {KEY_SCOPES.map((scope) => (
        <Checkbox
          key={`${scope} ${chosen.includes(scope)}`}
          id={`scope_${scope}`}
          name="scopes"
          value={scope}
          label={t(scope)}
          hint={t(`${scope}Hint`)}
          defaultChecked={chosen.includes(scope)}
        />
      ))}
    </fieldset>
  );
}
