import { askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { MODEL } from './actor';
import { partOf, pick } from './gateway-steps';
import { callBack } from './provider-steps';
import { HONEST, type World } from './world';

interface Asked {
  readonly bill: number;
}

/** A customer asks on the payment page for another way to pay. */
export async function askOtherWay(world: World, { bill: index }: Asked): Promise<void> {
  const bill = pick(world.books.bills, index);
  if (bill) await askInstruments(world.process(HONEST), bill.id, MODEL.name);
}

/** Two customers ask for the same bill at the same time. */
export async function askOtherWayTwice(world: World, asked: Asked): Promise<void> {
  await Promise.all([askOtherWay(world, asked), askOtherWay(world, asked)]);
}

/**
 * A customer pays an instrument, perhaps once more, or one that has ended.
 * @param how the part of its amount, see `partOf`.
 */
export async function payOtherWay(
  world: World,
  { instrument: index, how, late }: { instrument: number; how: number; late: number },
): Promise<void> {
  const { provider } = world;
  const instrument = pick([...provider.instruments.values()], index);
  if (!instrument) return;
  const made = provider.notices.length;
  const payable = world.books.instruments.some(({ our_reference, state }) => our_reference === instrument.reference && state === 'ACTIVE');
  const report = provider.payInstrument(instrument, Number(partOf(instrument.amount, how)) || 100);
  if (payable && 'receipt' in report)
    world.promised.push({ till: instrument.till, receipt: report.receipt ?? '', reference: instrument.reference });
  await callBack(world, made, late);
}

/** The provider ends an instrument by itself. */
export async function endOtherWay({ provider }: World, { instrument: index }: { instrument: number }): Promise<void> {
  const instrument = pick([...provider.instruments.values()], index);
  if (instrument) instrument.isOpen = false;
}
