import { randomBytes } from 'node:crypto';
import { paid } from '@/lib/providers/kit/behaviours';
import { startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { numberFrom, type ProviderReport, providerOrderSchema } from './messages';

// Simulates M-Pesa in a process of its own. The time until a customer pays has a distribution with a long tail: the logarithm of the time
// is normally distributed.

const KEY_BITS = 2048;
/** The quantile of the standard normal distribution for 99 %. */
const Z_99 = 2.326;
/** The maximum of the drawn values, so that no very slow customer delays the end of a run. About one value in 1,000 would be higher. */
const Z_MAX = 3.1;

const medianMs = numberFrom('MEDIAN_MS');
const sigma = Math.log(numberFrom('P99_MS') / medianMs) / Z_99;

const simulator = await startMpesaSimulator({
  clock: () => new Date(),
  random: (bytes) => new Uint8Array(randomBytes(bytes)),
  mode: 'async',
  keyBits: KEY_BITS,
  chooseBehaviour: () => ({ steps: [paid(medianMs * Math.exp(sigma * Math.min(standardNormal(), Z_MAX)))] }),
});
let reported = 0;

/** Draws from the standard normal distribution, by the method of Box and Muller. */
function standardNormal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

/** Returns the callbacks since the previous report. */
function report(): ProviderReport {
  const promptedAt = new Map(simulator.transactions.map((one) => [one.thirdPartyConversationId, one.takenAt]));
  const fresh = simulator.announcements.slice(reported);
  reported += fresh.length;
  return fresh.map(({ callback, sentAt, repliedAt, asExpected }) => {
    const reference = callback.input_ThirdPartyConversationID;
    const prompted = promptedAt.get(reference) ?? Number.NaN;
    return { reference, promptedAt: prompted, sentAt: sentAt.getTime(), repliedAt: repliedAt.getTime(), asExpected };
  });
}

process.on('message', (message) => {
  const order = providerOrderSchema.parse(message);
  if ('callbackUrl' in order) simulator.control(order);
  process.send?.('report' in order ? report() : 'done');
});
process.once('disconnect', () => process.exit(0));
process.send?.(simulator.credentials);
