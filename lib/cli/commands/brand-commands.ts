import { type Command, InvalidArgumentError, Option } from 'commander';
import { changeBrand } from '@/lib/backoffice/merchants/change-brand';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { readInput } from '@/lib/cli/terminal/files';
import { operatorResult } from '@/lib/cli/terminal/operator';
import { type JsonFlag, merchantOption, needMerchant, type ScopeOptions, scopeCommand } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { type Brand, formatSupportNumber, parseSupportNumber } from '@/lib/identity/merchants/brand-rules';
import { findBrand } from '@/lib/identity/merchants/brand-store';
import { describeLogoProblem } from '@/lib/identity/merchants/describe-logo-problem';
import { LOGO_SOURCE_MAX_BYTES, type Logo } from '@/lib/identity/merchants/logo-rules';
import { ORIGINS_MAX, parseOrigins } from '@/lib/identity/merchants/return-origins';
import { formatColour, parseColour } from '@/lib/platform/core/colour';
import { changeProfileOf } from './merchant-commands';

interface BrandOptions extends JsonFlag {
  readonly merchant: string;
  readonly colour?: string;
  readonly support?: string;
  readonly logo?: string;
  readonly removeLogo?: boolean;
}

/** Adds `bili merchant brand`, `partial-payments` and `return-origins`, the options of a merchant's payment page. */
export function addBrandCommands(merchants: Command): void {
  merchants
    .command('brand')
    .description("show or change a merchant's logo, colour and support number on the payment page")
    .addOption(merchantOption())
    .addOption(
      new Option(
        '--colour <colour>',
        "for example '#0a7' or '#00aa77' (the page ensures enough contrast), or none for Bili's colours",
      ).argParser(readColour),
    )
    .addOption(new Option('--support <number>', 'the phone number that customers can call, or none').argParser(readNumber))
    .addOption(new Option('--logo <file>', 'a PNG, JPEG, WebP or GIF file of at most 2 MB').conflicts('removeLogo'))
    .option('--remove-logo', 'remove the logo and show only the name')
    .action(async ({ merchant: given, json, ...options }: BrandOptions) => {
      const logo = options.removeLogo ? null : options.logo === undefined ? undefined : await readLogo(options.logo);
      const { merchant, brand } = await withRuntime(async (runtime) => {
        const found = await needMerchant(runtime, given);
        return { merchant: found, brand: await changeOrFind(runtime, found.id, options, logo) };
      });
      print(json, { merchant: merchant.slug, ...brand }, [describeBrand(merchant.name, brand)]);
    });
  scopeCommand(merchants, 'partial-payments', 'allow or forbid part payments on the payment page')
    .addOption(new Option('--on', 'allow part payments').conflicts('off'))
    .option('--off', 'require the whole amount')
    .action(async ({ merchant: given, environment, on = false, off = false, json }: PartOptions, command: Command) => {
      if (on === off) command.error('error: give either --on or --off');
      const merchant = await changeProfileOf({ merchant: given, environment }, { partialPayments: on });
      print(json, { merchant: merchant.slug, environment, partialPayments: on }, [
        `Customers of ${merchant.name} ${on ? 'may pay a part of a bill' : 'must pay the whole bill'} on the payment page in ${environment}.`,
      ]);
    });
  addReturnOrigins(merchants);
}

function addReturnOrigins(merchants: Command): void {
  scopeCommand(merchants, 'return-origins', 'allow the payment page to link back to websites of the merchant')
    .addOption(
      new Option('--set <addresses>', 'for example https://shop.example.com, separated by commas; none for no website')
        .argParser(readOrigins)
        .makeOptionMandatory(),
    )
    .action(async ({ merchant: given, environment, set, json }: ScopeOptions & { readonly set: readonly string[] }) => {
      const merchant = await changeProfileOf({ merchant: given, environment }, { returnOrigins: set });
      print(json, { merchant: merchant.slug, environment, returnOrigins: set }, [
        `The payment pages of ${merchant.name} may link back to ${set.length === 0 ? 'no website' : set.join(', ')} in ${environment}.`,
      ]);
    });
}

interface PartOptions extends ScopeOptions {
  readonly on?: boolean;
  readonly off?: boolean;
}

/** Changes the brand and returns it. If no change is given, only returns the current brand. */
async function changeOrFind(
  runtime: CommandRuntime,
  merchantId: string,
  { colour, support }: Pick<BrandOptions, 'colour' | 'support'>,
  logo: Logo | null | undefined,
): Promise<Brand> {
  if (colour !== undefined || support !== undefined || logo !== undefined) {
    const change = { brandColour: unlessNone(colour), supportNumber: unlessNone(support), logo };
    return operatorResult(await changeBrand(runtime, operatorAccess(runtime.actor, { merchantId, environment: 'live' }), change));
  }
  const brand = await findBrand(runtime.db, merchantId);
  if (!brand) throw new UserError('This merchant does not exist any more.');
  return brand;
}

async function readLogo(path: string): Promise<Logo> {
  // One byte more than the limit, so that a file that is too large is detected.
  const bytes = await readInput(path, LOGO_SOURCE_MAX_BYTES + 1);
  const { encodeLogo } = await import('@/lib/identity/merchants/encode-logo');
  const logo = await encodeLogo(bytes, 'operator');
  if (!logo.ok) throw new UserError(`The file ${path} cannot be used as logo: ${describeLogoProblem(logo.error, 'en')}.`);
  return logo.value;
}

function describeBrand(name: string, { brandColour, supportNumber, logoHash, logoWidth, logoHeight }: Brand): string {
  const shown = [
    logoHash === null ? 'no logo' : `a logo of ${logoWidth} × ${logoHeight}`,
    brandColour === null ? "Bili's colours" : `the colour ${brandColour}`,
    supportNumber === null ? 'no support number' : `the support number ${formatSupportNumber(supportNumber)}`,
  ];
  return `${name} shows ${shown.join(', ')}.`;
}

const NONE = 'none';

function unlessNone(text: string | undefined): string | null | undefined {
  return text === NONE ? null : text;
}

function readColour(text: string): string {
  if (text === NONE) return NONE;
  const rgb = parseColour(text);
  if (!rgb) throw new InvalidArgumentError("It must be a colour like '#0a7' or '#00aa77', or none");
  return formatColour(rgb);
}

function readOrigins(text: string): readonly string[] {
  const { origins, wrong } = parseOrigins(text === NONE ? '' : text);
  if (wrong === null && origins.length <= ORIGINS_MAX) return origins;
  throw new InvalidArgumentError(`It must be at most ${ORIGINS_MAX} https addresses, for example https://shop.example.com, or none`);
}

function readNumber(text: string): string {
  const number = text === NONE ? NONE : parseSupportNumber(text);
  if (number === null)
    throw new InvalidArgumentError('It must be a mobile or landline number in Tanzania, for example 0712345678 or 0222123456, or none');
  return number;
}
