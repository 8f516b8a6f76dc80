import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { randomId } from '@/components/ui/forms/random-id';
import { isUuid } from '@/lib/platform/core/ids';
import { counterWorker } from './counter-worker';
import { grouped, typeKey } from './entry-form';
import { type KeptBill, keptBillsOf } from './kept-bills';

/** A storage like the browser's. With `full`, it accepts nothing more. */
class FakeStorage implements Storage {
  [name: string]: unknown;
  constructor(private readonly full = false) {}
  get length() {
    return Object.keys(this).length;
  }
  clear() {
    for (const key of Object.keys(this)) delete this[key];
  }
  getItem(key: string) {
    const value = this[key];
    return typeof value === 'string' ? value : null;
  }
  key(index: number) {
    return Object.keys(this)[index] ?? null;
  }
  removeItem(key: string) {
    delete this[key];
  }
  setItem(key: string, value: string) {
    if (this.full) throw new DOMException('full', 'QuotaExceededError');
    this[key] = value;
  }
}

const bill = (changes: Partial<KeptBill> = {}): KeptBill => ({
  id: randomId(),
  amount: '5000',
  reference: '',
  mobile: '0712345678',
  prompt: true,
  confirmedAt: 1,
  sent: false,
  ...changes,
});

test('kept bills survive a reload, in the order of their confirmation, for their member only', () => {
  const storage = new FakeStorage();
  const [second, first] = [bill({ confirmedAt: 2 }), bill()];
  keptBillsOf('duka/live/asha', storage).keep(second);
  keptBillsOf('duka/live/asha', storage).keep(first);
  expect(keptBillsOf('duka/live/asha', storage).list()).toEqual([first, second]);
  for (const other of ['duka/live/neema', 'duka/sandbox/asha', 'jirani/live/asha']) expect(keptBillsOf(other, storage).list()).toEqual([]);
  keptBillsOf('duka/live/asha', storage).keep({ ...first, sent: true });
  keptBillsOf('duka/live/asha', storage).remove(second.id);
  expect(keptBillsOf('duka/live/asha', storage).list()).toEqual([{ ...first, sent: true }]);
});

test('without storage, or if it is full, bills are kept while the page is open', () => {
  for (const storage of [null, new FakeStorage(true)]) {
    const kept = keptBillsOf('duka/live/asha', storage);
    const one = bill();
    kept.keep(one);
    expect(kept.list()).toEqual([one]);
    kept.remove(one.id);
    expect(kept.list()).toEqual([]);
  }
});

test('what others wrote into the storage is ignored', () => {
  const storage = new FakeStorage();
  storage.setItem('bili-counter/duka/live/asha/x', '{"id":1}');
  storage.setItem('bili-counter/duka/live/asha/y', 'not JSON');
  expect(keptBillsOf('duka/live/asha', storage).list()).toEqual([]);
});

test('ids are UUIDs, which the server requires', () => {
  const ids = Array.from({ length: 100 }, randomId);
  expect(ids.every(isUuid)).toBe(true);
  expect(new Set(ids).size).toBe(100);
});

test('keys type amounts', () => {
  expect(typeKey('5', '00', 10)).toBe('500');
  expect(typeKey('500', 'back', 10)).toBe('50');
  expect(typeKey('1234567890', '1', 10)).toBe('1234567890');
  expect([grouped('1234567'), grouped('999'), grouped('1200.5')]).toEqual(['1,234,567', '999', '1,200.5']);
});

test('the service worker is a valid script, also for a path with quotes', () => {
  for (const path of ['/m/duka/live/counter', `/m/a'"\\/live/counter`]) expect(() => new Script(counterWorker(path))).not.toThrow();
});
