import type { Environment } from '@/lib/platform/core/scope';
import type { KeyPair } from './rules';

/**
 * Returns a curl command that creates a bill. In the sandbox, the payment is simulated. In live, the command contains no mobile number, so
 * nobody gets a prompt.
 */
export function sampleRequest({ id, secret }: KeyPair, environment: Environment, base: URL): string {
  const bill = { amount: 5000, reference: 'ORDER-1', ...(environment === 'sandbox' && { mobile: '0712345001' }) };
  return `curl -sS ${base.origin}/api/v3/bills/create -H 'Authorization: ApiKey ${id}:${secret}' -H 'Content-Type: application/json' -d '${JSON.stringify(bill)}'`;
}
