import { PINS_MAX } from '@/lib/accounts/cashier-rules';
import { acceptPin, countPin, lockDevice } from '@/lib/accounts/cashier-store';
import { passwordMatches } from '@/lib/accounts/passwords/password';
import { startSession } from '@/lib/accounts/sessions/start-session';
import { pinCounters, wrongPinCounters } from '@/lib/accounts/sign-in/throttle-rules';
import { blockedUntil, countAttempt, uncountAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { userActor } from '@/lib/core/actor';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { knownDevices, pinText } from './device-secret';

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

interface PinOptions {
  readonly device: string;
  readonly pin: string;
  readonly devices: readonly string[];
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly session: string | null;
}

/**
 * Signs a cashier in on a known device. The secret of the device and the PIN are two factors. Each PIN is counted before it is checked.
 * Only somebody with the device's secret can use up the allowed PINs, so strangers cannot lock a cashier out. Too many wrong PINs lock the
 * device and end its sessions; the team's managers are notified. Returns the session's token.
 */
export async function signInWithPin(
  runtime: Needs,
  { device: id, pin, devices, userAgent, address, session }: PinOptions,
): Promise<Result<string, PinRefusal>> {
  const { db, clock } = runtime;
  const device = (await knownDevices(runtime, devices)).find((one) => one.id === id);
  if (!device) return fail({ code: 'unknown_device' });
  const until = await countAttempt(runtime, pinCounters(id));
  if (until) return fail({ code: 'wait', until });
  const counted = await countPin(db, id);
  if (!counted) return fail({ code: 'locked' });
  const often = wrongPinCounters(id);
  await countAttempt(runtime, often);
  const entry = { merchantId: device.merchant.id, environment: null, actor: userActor(device.user, address), subject: device.user.id };
  if ((await passwordMatches(pinText(pin.slice(0, 20), device.secret), counted.pinHash)) !== true) {
    const left = PINS_MAX - counted.wrongPins;
    const tooMany = left === 0 || (await blockedUntil(runtime, often)) !== null;
    await db.transaction(async (tx) => {
      const locked = tooMany && (await lockDevice(tx, id, clock()));
      await recordEntry(runtime, { ...entry, action: locked ? 'cashier.device-locked' : 'cashier.pin-refused', data: { device: id } }, tx);
    });
    return fail(tooMany ? { code: 'locked' } : { code: 'wrong', left });
  }
  await uncountAttempt(runtime, often);
  const token = await db.transaction(async (tx) => {
    if (!(await acceptPin(tx, id, userAgent?.slice(0, 300) ?? '', clock()))) return null;
    return startSession(runtime, { user: device.user, userAgent, address, codeDue: false, replaces: session, cashierDeviceId: id }, tx);
  });
  return token === null ? fail({ code: 'unknown_device' }) : ok(token);
}
