import { InvalidArgumentError, Option } from 'commander';
import { parseDecimal, type Senti } from '@/lib/core/money';
import { ENVIRONMENTS, type Environment, type Scope } from '@/lib/core/scope';
import { findMerchant, type Merchant } from '@/lib/merchants/store';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { UserError } from './output';

/** Every command takes it. */
export const jsonOption = () => new Option('--json', 'print JSON').default(false);

export interface JsonFlag {
  readonly json: boolean;
}

export const environmentOption = () =>
  new Option('--environment <environment>', 'live or sandbox').choices([...ENVIRONMENTS]).makeOptionMandatory();
export const merchantOption = () => new Option('--merchant <merchant>', "the merchant's slug or id").makeOptionMandatory();

export interface ScopeOptions extends JsonFlag {
  readonly merchant: string;
  readonly environment: Environment;
}

/** Why something about money is done: kept with it for good. */
export const reasonOption = () => new Option('--reason <text>', 'why, for the record').argParser(words).makeOptionMandatory();

/** A text that says something. */
export function words(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty');
  return text.trim();
}

/** @returns what reads a whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}`);
    return number;
  };
}

/** Reads an amount of shillings with at most two decimals. @returns senti. */
export function shillings(text: string): Senti {
  const decimal = parseDecimal(text);
  if (!decimal || decimal.digits <= 0n || decimal.decimals > 2) {
    throw new InvalidArgumentError('It must be an amount in shillings, for example 5000 or 12500.50');
  }
  return decimal.digits * 10n ** BigInt(2 - decimal.decimals);
}

/** Reads an amount as `shillings` does, or 0. @returns senti. */
export function shillingsOrNone(text: string): Senti {
  return /^0+(\.0{1,2})?$/.test(text) ? 0n : shillings(text);
}

/** The runtime of a command that has to know the providers, but not to run the simulated one. */
export function withProviders<R extends Runtime>(runtime: R): R & { readonly providers: ProviderRegistry } {
  return { ...runtime, providers: createRegistry(runtime, null) };
}

/** @returns whose data is meant; throws with a sentence when there is no such merchant. */
export async function needScope(runtime: Runtime, { merchant, environment }: Omit<ScopeOptions, 'json'>): Promise<Scope> {
  return { merchantId: (await needMerchant(runtime, merchant)).id, environment };
}

/** Throws with a sentence when there is no such merchant. */
export async function needMerchant(runtime: Runtime, merchant: string): Promise<Merchant> {
  const found = await findMerchant(runtime.db, merchant);
  if (!found) throw new UserError(`There is no merchant "${merchant}"; "bili merchant list" shows all.`);
  return found;
}
