import type { Books } from './books';
import type { World } from './world';

/** Returns violations of the rules for closed and reopened bills, as sentences. @param before the books before the step. */
export function findClosingWrongs({ books, turnedAway }: World, before: Books): string[] {
  return books.bills.flatMap((bill) => {
    const was = before.bills.find(({ id }) => id === bill.id);
    const turns = turnsOf(books, bill.id);
    const now = turns.slice(turnsOf(before, bill.id).length);
    const closed = bill.closed_at !== null;
    const closedInStep = was?.closed_at != null || now.includes('bill.closed');
    const openInStep = was?.closed_at == null || now.includes('bill.reopened');
    const asked = books.attempts.filter(({ bill_id }) => bill_id === bill.id);
    const fresh = asked.filter(({ id }) => !before.attempts.some((attempt) => attempt.id === id));
    const paid = was?.status === 'FULLY_PAID' && bill.status === 'FULLY_PAID' && bill.event_count === was.event_count + now.length;
    return [
      ...(turns.every((type, index) => type === (index % 2 === 0 ? 'bill.closed' : 'bill.reopened')) && closed === (turns.length % 2 === 1)
        ? []
        : [`${bill.reference} is ${closed ? 'closed' : 'open'}, and its events say ${turns.join(', ') || 'nothing'}`]),
      ...(closed && bill.reserved_amount > 0 ? [`${bill.reference} is closed, and ${bill.reserved_amount} of it are asked for`] : []),
      ...(closed && asked.some(({ state }) => state === 'QUEUED') ? [`${bill.reference} is closed, and a phone will ring for it`] : []),
      ...(fresh.length > 0 && !openInStep ? [`${bill.reference} was closed, and a phone is asked for it`] : []),
      ...(turnedAway.has(bill.id) && !closedInStep ? [`${bill.reference} is open, and who would pay it was told that it is closed`] : []),
      ...(paid && now.includes('bill.closed') ? [`${bill.reference} was paid, and was closed all the same`] : []),
    ];
  });
}

/** Returns the types of the events by which a bill was closed and reopened, in order. */
function turnsOf({ events }: Books, billId: string): string[] {
  return events
    .filter(({ bill_id, type }) => bill_id === billId && (type === 'bill.closed' || type === 'bill.reopened'))
    .map(({ type }) => type);
}
