import { systemActor } from '@/lib/platform/core/actor';
import { addMs, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import { bill, instrumentSource } from '@/lib/platform/db/generated/tables';
import { pick, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Log } from '@/lib/platform/log/log';
import { askInstruments, type InstrumentRuntime } from './ask-instruments';

/**
 * The passes over the new bills of a merchant. `ageMs`: how old bills must be. After two seconds, nearly all bills are committed, so the pass
 * `readTo` sees them. After an hour, all bills are committed, so the pass `checkedTo` finds the few that `readTo` did not see.
 * `behindMs`: how far behind a pass without new bills may be, so that an idle worker writes rarely.
 */
const PASSES = [
  { position: 'readTo', ageMs: 2 * SECOND_MS, behindMs: HOUR_MS },
  { position: 'checkedTo', ageMs: HOUR_MS, behindMs: HOUR_MS },
] as const;

/** Bills of a merchant per pass. */
const BATCH = 50;

const LIST_SOURCES = statement({
  name: 'list the merchants whose new bills get instruments',
  text: `SELECT merchant_id AS "merchantId", environment, read_to AS "readTo", checked_to AS "checkedTo" FROM instrument_source
         ORDER BY merchant_id, environment`,
  parameters: {},
  columns: pick(instrumentSource, 'merchantId environment readTo checkedTo'),
});

const LIST_NEW_BILLS = statement({
  name: 'list new bills without instruments',
  text: `SELECT b.id FROM bill b
         WHERE b.merchant_id = $merchantId AND b.environment = $environment AND b.status = 'NOT_PAID' AND b.id > $after AND b.id < $until
           AND NOT EXISTS (SELECT 1 FROM instrument i WHERE i.bill_id = b.id)
         ORDER BY b.id LIMIT ${BATCH}`,
  parameters: { ...pick(instrumentSource, 'merchantId environment'), after: uuid, until: uuid },
  columns: { id: bill.id },
});

const ADVANCE = statement({
  name: 'advance the new bills that get instruments',
  text: `UPDATE instrument_source SET read_to = greatest(read_to, $readTo), checked_to = greatest(checked_to, $checkedTo)
         WHERE merchant_id = $merchantId AND environment = $environment`,
  parameters: pick(instrumentSource, 'merchantId environment readTo checkedTo'),
});

/**
 * Asks for the instruments of new bills, if their merchants have switched that on. So creating a bill takes no longer. Any number of workers may
 * run it at the same time and repeat it, because an instrument is asked for once. Returns true if a batch was full: then call it again.
 */
export async function issueForNewBills(runtime: InstrumentRuntime & { readonly log: Log }): Promise<boolean> {
  let more = false;
  for (const source of await LIST_SOURCES.rows(runtime.db, {})) {
    const reached = { ...source };
    for (const { position, ageMs, behindMs } of PASSES) {
      const until = addMs(runtime.clock(), -ageMs).getTime();
      const bills = await LIST_NEW_BILLS.rows(runtime.db, { ...source, after: source[position], until: lowestId(until) });
      for (const { id } of bills) await askFor(runtime, id);
      const last = bills.length === BATCH ? bills.at(-1)?.id : undefined;
      if (bills.length > 0 || source[position] < lowestId(until - behindMs)) reached[position] = last ?? lowestId(until);
      more ||= last !== undefined;
    }
    if (reached.readTo !== source.readTo || reached.checkedTo !== source.checkedTo) await ADVANCE.rows(runtime.db, reached);
  }
  return more;
}

/** A bill that cannot have instruments, for example because no account issues any, does not keep others waiting. */
async function askFor(runtime: InstrumentRuntime & { readonly log: Log }, billId: string): Promise<void> {
  try {
    await askInstruments(runtime, billId, systemActor('worker').name);
  } catch (error) {
    runtime.log.error({ err: error, billId }, 'the instruments of a new bill could not be asked for; a later pass repeats it');
  }
}
