import { notifyRemovedRecipients } from '@/lib/backoffice/notices/notify-removed-recipients';
import { type Access, authorizeProven, type MerchantAccess, may, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { differences, recordEntry } from '@/lib/identity/audit/record-entry';
import { findBrand } from '@/lib/identity/merchants/brand-store';
import { ADDRESSES_MAX, type Notify, type TopicSetting } from '@/lib/identity/merchants/notify-rules';
import { findRecipients } from '@/lib/identity/merchants/notify-store';
import { findProfile, lockProfile, type ProfileChange } from '@/lib/identity/merchants/profile-store';
import { nameProblem } from '@/lib/identity/merchants/rules';
import { findSettings, lockSettings, type MerchantSettings, updateProfile } from '@/lib/identity/merchants/store';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime, Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';

/**
 * Changes a merchant's settings in one environment. Only the operator can also change the merchant's status there. The API applies the
 * change within half a second. Unique references apply to new bills: bills that already have the same reference stay.
 */
export async function changeProfile(runtime: WriteRuntime, access: Access, change: ProfileChange): Promise<Result<void, ProvenRefusal>> {
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  if (refusal) return fail(refusal);
  if (change.status !== undefined && access.role !== null) return fail('not_allowed');
  const { scope, actor } = access;
  await runtime.db.transaction(async (tx) => {
    const before = await lockProfile(tx, scope);
    if (!before) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
    await updateProfile(tx, scope, change);
    const data = differences(profileFacts(before), profileFacts(change));
    await recordEntry(runtime, { ...scope, actor, action: 'profile.changed', subject: scope.merchantId, data }, tx);
  });
  return ok(undefined);
}

/** Returns the values as the audit log stores them. */
function profileFacts({ returnOrigins, ...plain }: ProfileChange) {
  return { ...plain, ...(returnOrigins && { returnOrigins: returnOrigins.join(', ') }) };
}

type SettingsProblem = ProvenRefusal | 'name_wrong' | 'too_many_addresses';

interface ChangeSettingsOptions {
  /** Absent fields stay as they are. */
  readonly change: Partial<Omit<MerchantSettings, 'notify'>> & { readonly notify?: Partial<Notify> };
}

/**
 * Changes a merchant's name, language, recipients of notices, and whether members need a second factor, in both environments. Recipients
 * who no longer get notices about keys and team get one last mail, which tells them so.
 */
export async function changeSettings(
  runtime: NotifyRuntime,
  access: MerchantAccess,
  { change }: ChangeSettingsOptions,
): Promise<Result<void, SettingsProblem>> {
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  if (refusal) return fail(refusal);
  const renamed = change.name !== undefined && change.name.trim() !== access.merchant.name;
  if (renamed && nameProblem(change.name ?? '')) return fail('name_wrong');
  if (change.notify && Object.values(change.notify).some(({ addresses }) => addresses.length > ADDRESSES_MAX))
    return fail('too_many_addresses');
  const { merchantId } = access.scope;
  await runtime.db.transaction(async (tx) => {
    const before = await lockSettings(tx, merchantId);
    if (!before) throw new Error(`there is no merchant ${merchantId}`);
    const notify = { ...before.notify, ...change.notify };
    const after = { ...before, ...change, notify, name: (change.name ?? before.name).trim() };
    const data = differences(inWords(before), inWords(after));
    if (Object.keys(data.after).length === 0) return;
    const recipients = (await findRecipients(tx, merchantId, 'security'))?.addresses ?? [];
    const { name, language, requireSecondFactor } = after;
    await tx.prisma.merchant.update({ where: { id: merchantId }, data: { name, language, notify, requireSecondFactor } });
    await notifyRemovedRecipients(runtime, tx, access, { before: recipients });
    const { actor } = access;
    await recordEntry(runtime, { merchantId, environment: null, actor, action: 'settings.changed', subject: merchantId, data }, tx);
  });
  return ok(undefined);
}

function inWords({ name, language, notify, requireSecondFactor }: MerchantSettings) {
  return {
    name,
    language,
    requireSecondFactor,
    notifySummary: describeRecipients(notify.summary),
    notifyMoney: describeRecipients(notify.money),
    notifyWebhooks: describeRecipients(notify.webhooks),
    notifyKeys: describeRecipients(notify.keys),
    notifySecurity: describeRecipients(notify.security),
  };
}

/**
 * Returns the recipients of a topic for the audit log. Addresses of a topic that is off are in parentheses. Returns false for a topic that
 * is off and has no addresses.
 */
function describeRecipients({ on, addresses }: TopicSetting): string | false {
  if (addresses.length === 0) return on && 'owners, admins';
  return on ? addresses.join(', ') : `(${addresses.join(', ')})`;
}

export type SettingsView = NonNullable<Awaited<ReturnType<typeof showSettings>>>;

export async function showSettings({ db, settings: { mail } }: Pick<Runtime, 'db' | 'settings'>, access: MerchantAccess) {
  if (!may(access, 'settings.view')) return null;
  const { merchantId } = access.scope;
  const [brand, settings, profile] = await Promise.all([
    findBrand(db, merchantId),
    findSettings(db, merchantId),
    findProfile(db, access.scope),
  ]);
  return brand && settings && profile ? { merchantId, sendsMail: mail !== undefined, ...brand, ...settings, ...profile } : null;
}
