import type { EndpointView, ShownEndpoint } from '@/lib/backoffice/delivery-log/show-endpoint';
import { type EndpointStatus, type Hold, isStopped } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';

const DISABLED: Readonly<Record<'gone' | 'failing', string>> = {
  gone: 'it answered 410 Gone',
  failing: 'it accepted nothing for seven days',
};

/** The options that select an endpoint in a command. */
export interface EndpointName {
  /** The merchant's slug or id. */
  readonly merchant: string;
  readonly environment: string;
}

/** Formats an instant with its time zone. */
export function at(instant: Date): string {
  return instant.toISOString();
}

/** Explains when a waiting delivery is sent, with the command that resumes the endpoint if that is necessary. */
export function describeHold(hold: Hold | null, name: EndpointName): string {
  if (hold === null) return 'It is sent now.';
  if (isStopped(hold)) {
    const status = hold.kind === 'paused' ? 'paused' : 'disabled';
    const why = hold.kind === 'paused' ? '' : because(hold.reason);
    return `Nothing is sent until the endpoint is resumed with "${resumeCommand(name)}". It has been ${status} since ${at(hold.since)}${why}.`;
  }
  if (hold.kind === 'breaker')
    return `The endpoint keeps failing, so only single probes are sent, the next one ${hold.until ? `at ${at(hold.until)}` : 'now'}.`;
  return `The endpoint has asked for a pause until ${at(hold.until)}.`;
}

/** Says whether webhooks are sent after the address was set, with the command that resumes the endpoint if that is necessary. */
export function describeSetStatus(status: EndpointStatus, name: EndpointName): string {
  if (status === 'active') return 'Status: active. Waiting webhooks are sent now.';
  return `Status: ${status}. Nothing is sent until the endpoint is resumed with "${resumeCommand(name)}".`;
}

function resumeCommand({ merchant, environment }: EndpointName): string {
  return `bili webhook resume --merchant ${merchant} --environment ${environment}`;
}

export function describeStatus({ url, status, statusSince, disabledReason, failingSince }: EndpointView): string {
  if (url === null) return 'no address: deliveries are stored but not sent';
  if (status === 'active') return failingSince ? `active, failing since ${at(failingSince)}` : 'active';
  return `${status} since ${at(statusSince)}${because(disabledReason)}`;
}

/** Describes the health of an endpoint. Lines without content are left out. */
export function describeEndpoint(endpoint: ShownEndpoint): string[] {
  const { url, failingSince, failureCount, warningsGiven, lastSuccessAt, hold, previousSecretUntil, undelivered } = endpoint;
  const { PENDING, SENDING, BLOCKED, EXHAUSTED, UNSENT } = undelivered;
  return [
    `address:       ${url ?? 'none'}`,
    `status:        ${describeStatus(endpoint)}`,
    ...(failingSince ? [`failing since: ${at(failingSince)}, ${failureCount} times in a row, ${warningsGiven} of 3 warnings sent`] : []),
    ...(hold?.kind === 'breaker'
      ? [
          `next probe:    ${hold.until ? at(hold.until) : 'due now'}; when your server works again, "bili webhook test" or "bili webhook resume" sends all waiting deliveries`,
        ]
      : []),
    ...(hold?.kind === 'resting' ? [`paused until:  ${at(hold.until)}, as the endpoint requested`] : []),
    `last success:  ${lastSuccessAt ? at(lastSuccessAt) : 'never'}`,
    ...(previousSecretUntil ? [`secrets:       two, the old one until ${at(previousSecretUntil)}`] : []),
    `waiting:       ${PENDING} pending, ${SENDING} being sent, ${BLOCKED} waiting for an earlier one`,
    `not delivered: ${EXHAUSTED} exhausted, ${UNSENT} never sent`,
  ];
}

function because(reason: 'gone' | 'failing' | null): string {
  return reason ? ` (${DISABLED[reason]})` : '';
}
