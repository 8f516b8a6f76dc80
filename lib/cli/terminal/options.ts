import { type Command, InvalidArgumentError, Option } from 'commander';
import { findMerchant, type Merchant } from '@/lib/identity/merchants/store';
import { parseDecimal, type Senti } from '@/lib/platform/core/money';
import { ENVIRONMENTS, type Environment, type Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import { UserError } from './output';

/** The `--json` option, which every command has. `addCommands` adds it. */
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

/** Adds a command for one merchant in one environment. */
export function scopeCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).addOption(merchantOption()).addOption(environmentOption());
}

/** The reason for a change of money. It is stored with the ledger entry and never deleted. */
export const reasonOption = () => new Option('--reason <text>', 'the reason, for the records').argParser(words).makeOptionMandatory();

/** Parses a text that must not be empty. */
export function words(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty');
  return text.trim();
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}`);
    return number;
  };
}

/** Parses an amount in shillings with at most two decimals. Returns senti. */
export function shillings(text: string): Senti {
  const decimal = parseDecimal(text);
  if (!decimal || decimal.digits <= 0n || decimal.decimals > 2) {
    throw new InvalidArgumentError('It must be an amount in shillings, for example 5000 or 12500.50');
  }
  return decimal.digits * 10n ** BigInt(2 - decimal.decimals);
}

/** Parses an amount like `shillings`, but accepts 0. */
export function shillingsOrNone(text: string): Senti {
  return /^0+(\.0{1,2})?$/.test(text) ? 0n : shillings(text);
}

/** Adds the provider registry to a command's runtime. A command does not run the simulated provider. */
export function withProviders<R extends Runtime>(runtime: R): R & { readonly providers: ProviderRegistry } {
  return { ...runtime, providers: createRegistry(runtime, null) };
}

/** Returns the scope of the options. Throws a UserError if the merchant does not exist. */
export async function needScope(runtime: Runtime, { merchant, environment }: Omit<ScopeOptions, 'json'>): Promise<Scope> {
  return { merchantId: (await needMerchant(runtime, merchant)).id, environment };
}

/** Returns a merchant by slug or id. Throws a UserError if it does not exist. */
export async function needMerchant(runtime: Runtime, merchant: string): Promise<Merchant> {
  const found = await findMerchant(runtime.db, merchant);
  if (!found) throw new UserError(`There is no merchant "${merchant}". "bili merchant list" shows all.`);
  return found;
}
