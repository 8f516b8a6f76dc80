import { type Hold, isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import type { EndpointView, ShownEndpoint } from '@/lib/webhooks/page/show-endpoint';

const DISABLED: Readonly<Record<'gone' | 'failing', string>> = {
  gone: 'it answered 410: it wants no more',
  failing: 'it took nothing for seven days',
};

/** Names an endpoint in a command. */
export interface EndpointName {
  /** The merchant's slug or id. */
  readonly merchant: string;
  readonly environment: string;
}

/** @returns an instant with its zone. */
export function at(instant: Date): string {
  return instant.toISOString();
}

/** @returns when a waiting delivery is sent, in a sentence; if a person has to resume the endpoint first, with the command that does. */
export function describeHold(hold: Hold | null, { merchant, environment }: EndpointName): string {
  if (hold === null) return 'It goes out at once.';
  if (isStopped(hold)) {
    const status = hold.kind === 'paused' ? 'paused' : 'disabled';
    const why = hold.kind === 'paused' ? '' : because(hold.reason);
    const command = `bili webhook resume --merchant ${merchant} --environment ${environment}`;
    return `Nothing is sent until the endpoint is resumed with "${command}". It has been ${status} since ${at(hold.since)}${why}.`;
  }
  if (hold.kind === 'breaker')
    return `The endpoint keeps failing: single probes are made, the next one ${hold.until ? `at ${at(hold.until)}` : 'now'}.`;
  return `The endpoint has asked for a pause until ${at(hold.until)}.`;
}

/** @returns an endpoint's status in a few words. */
export function describeStatus({ url, status, statusSince, disabledReason, failingSince }: EndpointView): string {
  if (url === null) return 'no address: what happens is kept, unsent';
  if (status === 'active') return failingSince ? `active, failing since ${at(failingSince)}` : 'active';
  return `${status} since ${at(statusSince)}${because(disabledReason)}`;
}

/** @returns how an endpoint fares, line by line; what there is nothing to say about has none. */
export function describeEndpoint(endpoint: ShownEndpoint): string[] {
  const { url, failingSince, failureCount, warningsGiven, lastSuccessAt, heldUp, previousSecretUntil, undelivered } = endpoint;
  const { PENDING, SENDING, BLOCKED, EXHAUSTED, UNSENT } = undelivered;
  return [
    `address:       ${url ?? 'none'}`,
    `status:        ${describeStatus(endpoint)}`,
    ...(failingSince ? [`failing since: ${at(failingSince)}, ${failureCount} times in a row, ${warningsGiven} of 3 warnings given`] : []),
    ...(heldUp?.kind === 'breaker'
      ? [
          `next probe:    ${heldUp.until ? at(heldUp.until) : 'due now'}; once your server works again, "bili webhook test" or "bili webhook resume" sends all at once`,
        ]
      : []),
    ...(heldUp?.kind === 'resting' ? [`rests until:   ${at(heldUp.until)}, as it has asked`] : []),
    `last success:  ${lastSuccessAt ? at(lastSuccessAt) : 'never'}`,
    ...(previousSecretUntil ? [`secrets:       two, the one before until ${at(previousSecretUntil)}`] : []),
    `owed:          ${PENDING} pending, ${SENDING} being sent, ${BLOCKED} waiting for an earlier one`,
    `kept:          ${EXHAUSTED} given up, ${UNSENT} never sent`,
  ];
}

function because(reason: 'gone' | 'failing' | null): string {
  return reason ? ` (${DISABLED[reason]})` : '';
}
