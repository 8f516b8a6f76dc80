import { InvalidArgumentError, Option } from 'commander';
import type { Runtime } from '@/lib/config/runtime';
import { parseDecimal, type Senti } from '@/lib/core/money';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';

/** Who acts when a command does. */
export const ACTOR = 'operator:cli';

/** Every command takes it. */
export const jsonOption = () => new Option('--json', 'print JSON').default(false);

export interface JsonFlag {
  readonly json: boolean;
}

/** Why something about money is done: kept with it for good. */
export const reasonOption = () => new Option('--reason <text>', 'why, for the record').makeOptionMandatory();

/** Reads an amount of shillings with at most two decimals. @returns senti. */
export function shillings(text: string): Senti {
  const decimal = parseDecimal(text);
  if (!decimal || decimal.digits <= 0n || decimal.decimals > 2) {
    throw new InvalidArgumentError('It must be an amount in shillings, for example 5000 or 12500.50');
  }
  return decimal.digits * 10n ** BigInt(2 - decimal.decimals);
}

/** The runtime of a command that has to know the providers, but not to run the simulated one. */
export function withProviders(runtime: Runtime): Runtime & { readonly providers: ProviderRegistry } {
  return { ...runtime, providers: createRegistry(runtime, null) };
}
