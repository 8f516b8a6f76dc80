import { KEPT_BILLS } from '@/components/dashboard/shell/sign-out-guard';

/** A bill that the cashier entered, kept on this device until the server has it. */
export interface KeptBill {
  /** The id of the counter entry. Even if the device sends the entry several times, the server creates one bill. */
  readonly id: string;
  readonly amount: string;
  readonly reference: string;
  readonly mobile: string;
  readonly prompt: boolean;
  /** When the cashier entered the bill, or confirmed that the customer is still there. Milliseconds since 1970. */
  readonly confirmedAt: number;
  /** Whether the bill was sent at least once. Then the server may have created it, although no answer came. */
  readonly sent: boolean;
}

/** The storage of one member's kept bills. Each bill has a key of its own, so that two tabs do not overwrite each other's bills. */
interface KeptBills {
  list(): KeptBill[];
  /** Returns how many bills are only in memory, because the browser's storage is full or forbidden. */
  countInMemory(): number;
  keep(bill: KeptBill): void;
  remove(id: string): void;
}

/** Returns the storage of a member's kept bills. If the browser forbids storage, the bills are in memory and lost with the tab. */
export function keptBillsOf(owner: string, storage: Storage | null): KeptBills {
  const prefix = `${KEPT_BILLS}${owner}/`;
  const memory = new Map<string, KeptBill>();
  return {
    list() {
      const stored = storage ? Object.keys(storage).filter((key) => key.startsWith(prefix)) : [];
      const bills = new Map(memory);
      for (const key of stored) {
        const bill = read(storage?.getItem(key) ?? null);
        if (bill) bills.set(bill.id, bill);
      }
      return [...bills.values()].sort((a, b) => a.confirmedAt - b.confirmedAt);
    },
    countInMemory: () => memory.size,
    keep(bill) {
      try {
        if (!storage) throw new Error('no storage');
        storage.setItem(prefix + bill.id, JSON.stringify(bill));
        memory.delete(bill.id);
      } catch {
        // The browser's storage is full or forbidden, so the bill is only in memory.
        memory.set(bill.id, bill);
      }
    },
    remove(id) {
      memory.delete(id);
      storage?.removeItem(prefix + id);
    },
  };
}

function read(text: string | null): KeptBill | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isKeptBill(value) ? value : null;
  } catch {
    // The value is not JSON, so it is not from this file.
    return null;
  }
}

function isKeptBill(value: unknown): value is KeptBill {
  if (typeof value !== 'object' || value === null) return false;
  const texts = ['id', 'amount', 'reference', 'mobile'].every((name) => typeof Reflect.get(value, name) === 'string');
  const flags = ['prompt', 'sent'].every((name) => typeof Reflect.get(value, name) === 'boolean');
  return texts && flags && typeof Reflect.get(value, 'confirmedAt') === 'number';
}

/** Returns the browser's storage, or null if it is forbidden. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
