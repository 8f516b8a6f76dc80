import { startSession } from '@/lib/identity/accounts/access/sessions';
import { PINS_MAX } from '@/lib/identity/accounts/cashier-rules';
import { passwordMatches } from '@/lib/identity/accounts/passwords/password';
import { pinCounters, wrongPinCounters } from '@/lib/identity/accounts/sign-in/throttle-rules';
import { blockedUntil, countAttempt, uncountAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { userActor } from '@/lib/platform/core/actor';
import { readMobile } from '@/lib/platform/core/mobile';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { cashierDevice } from '@/lib/platform/db/generated/tables';
import { text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type DeviceSecret, knownDevices, pinText } from './device-secret';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>;

/** A cashier who may sign in on this device with a PIN. */
export interface DeviceCashier {
  /** The id of the device. It also identifies the cashier, because a device belongs to one cashier. */
  readonly device: string;
  readonly name: string;
  readonly merchantName: string;
  readonly locked: boolean;
}

/** Returns the cashiers of this device. The one who signed in last comes first. */
export async function listDeviceCashiers(runtime: Pick<Needs, 'db' | 'secrets'>, cookies: readonly string[]): Promise<DeviceCashier[]> {
  return (await knownDevices(runtime, cookies)).map(({ id, user, merchant, wrongPins }) => ({
    device: id,
    name: user.name,
    merchantName: merchant.name,
    locked: wrongPins >= PINS_MAX,
  }));
}

type PinRefusal =
  /** `left`: how many more PINs may be entered. */
  | { readonly code: 'wrong'; readonly left: number }
  | { readonly code: 'locked' | 'unknown_device' }
  | { readonly code: 'wait'; readonly until: Date };

interface PinSignIn {
  /** The token of the session. */
  readonly token: string;
  readonly userId: string;
  /** For a new cookie of the device: the current one may be encrypted with an old key. */
  readonly device: DeviceSecret;
}

interface SecretOptions extends Pick<PinOptions, 'pin' | 'userAgent' | 'address'> {
  /** The cashier's login name or phone number, as it was entered. */
  readonly login: string;
  /** The encrypted secret of the device. */
  readonly secret: string;
}

/** Signs a cashier in with the secret that an application has stored for the device. */
export async function signInOnDevice(runtime: Needs, { login, secret, ...options }: SecretOptions): Promise<Result<PinSignIn, PinRefusal>> {
  const [device] = await knownDevices(runtime, [secret]);
  if (!device || ![device.user.email, device.user.mobile].includes(readMobile(login) ?? login)) return fail({ code: 'unknown_device' });
  return signInWithPin(runtime, { ...options, device: device.id, devices: [secret], session: null });
}

interface PinOptions {
  readonly device: string;
  readonly pin: string;
  readonly devices: readonly string[];
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly session: string | null;
}

/** Stores that the right PIN was entered. Changes nothing if the device was revoked or locked, or its cashier removed, meanwhile. */
const ACCEPT_PIN = statement({
  name: 'accept a PIN of a device',
  text: `UPDATE cashier_device d SET wrong_pins = 0, last_used_at = $now, user_agent = $userAgent
         FROM membership m WHERE d.id = $id AND d.revoked_at IS NULL AND d.locked_at IS NULL AND m.merchant_id = d.merchant_id AND m.user_id = d.user_id
         RETURNING d.id`,
  parameters: { id: cashierDevice.id, now: timestamptz, userAgent: text },
  columns: { id: cashierDevice.id },
});

/**
 * Signs a cashier in on a known device. The secret of the device and the PIN are two factors. Each PIN is counted before it is checked.
 * Only somebody with the device's secret can use up the allowed PINs, so strangers cannot lock a cashier out. Too many wrong PINs lock the
 * device and end its sessions; the team's managers are notified. Returns the session.
 */
export async function signInWithPin(
  runtime: Needs,
  { device: id, pin, devices, userAgent, address, session }: PinOptions,
): Promise<Result<PinSignIn, PinRefusal>> {
  const { db, clock } = runtime;
  const device = (await knownDevices(runtime, devices)).find((one) => one.id === id);
  if (!device) return fail({ code: 'unknown_device' });
  const until = await countAttempt(runtime, pinCounters(id));
  if (until) return fail({ code: 'wait', until });
  const [counted] = await db.prisma.cashierDevice.updateManyAndReturn({
    where: { id, revokedAt: null, wrongPins: { lt: PINS_MAX } },
    data: { wrongPins: { increment: 1 } },
    select: { pinHash: true, wrongPins: true },
  });
  if (!counted) return fail({ code: 'locked' });
  const often = wrongPinCounters(id);
  await countAttempt(runtime, often);
  const entry = { merchantId: device.merchant.id, environment: null, actor: userActor(device.user, address), subject: device.user.id };
  if ((await passwordMatches(pinText(pin.slice(0, 20), device.secret), counted.pinHash)) !== true) {
    const left = PINS_MAX - counted.wrongPins;
    const tooMany = left === 0 || (await blockedUntil(runtime, often)) !== null;
    await db.transaction(async (tx) => {
      const now = clock();
      let locked = false;
      if (tooMany) {
        const change = { where: { id, lockedAt: null }, data: { wrongPins: PINS_MAX, lockedAt: now } };
        locked = (await tx.prisma.cashierDevice.updateMany(change)).count > 0;
        await tx.prisma.session.updateMany({ where: { cashierDeviceId: id, revokedAt: null }, data: { revokedAt: now } });
      }
      await recordEntry(runtime, { ...entry, action: locked ? 'cashier.device-locked' : 'cashier.pin-refused', data: { device: id } }, tx);
    });
    return fail(tooMany ? { code: 'locked' } : { code: 'wrong', left });
  }
  await uncountAttempt(runtime, often);
  const token = await db.transaction(async (tx) => {
    if (!(await ACCEPT_PIN.first(tx, { id, userAgent: userAgent?.slice(0, 300) ?? '', now: clock() }))) return null;
    return startSession(runtime, { user: device.user, userAgent, address, codeDue: false, replaces: session, cashierDeviceId: id }, tx);
  });
  return token === null ? fail({ code: 'unknown_device' }) : ok({ token, userId: device.user.id, device: { id, secret: device.secret } });
}
