import { type Command, InvalidArgumentError, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { type JsonFlag, needMerchant } from '@/lib/cli/terminal/options';
import { printList, UserError } from '@/lib/cli/terminal/output';
import { formatHead, type Head, OPERATOR_CHAIN, parseHead } from '@/lib/identity/audit/chain-rules';
import { findHead, listChains } from '@/lib/identity/audit/chain-store';
import { describeBreak, type Verification, verifyChain } from '@/lib/identity/audit/verify-chain';
import { listMerchants } from '@/lib/identity/merchants/store';
import type { Runtime } from '@/lib/platform/runtime/runtime';

interface VerifyOptions extends JsonFlag {
  readonly merchant?: string;
  readonly head?: Head;
}

const whose = () =>
  new Option('--merchant <merchant>', "the merchant's slug or id, or 'operator' for entries without a merchant; default: all");

export function addAuditCommands(audit: Command): void {
  audit
    .command('verify')
    .description('verify every audit entry against its hash chain; changes nothing')
    .addOption(whose())
    .addOption(
      new Option('--head <head>', 'a head that "bili audit head" printed; without it, missing newest entries cannot be detected').argParser(
        readHead,
      ),
    )
    .action(async ({ merchant, head, json }: VerifyOptions) => {
      const found = await withRuntime(async (runtime) => {
        const names = new Map((await listMerchants(runtime.db)).map(({ id, slug }) => [id, slug]));
        const chains = await chainsOf(runtime, merchant, head);
        const results: Verification[] = [];
        for (const chain of chains) results.push(await verifyChain(runtime, { chain, ...(head && { kept: head }) }));
        return results.map((result) => ({ ...result, name: names.get(result.chain) ?? result.chain }));
      });
      printList(json, found.map(inJson), found.map(describe), 'The audit log is empty.');
      const broken = found.filter((one) => one.broken !== null).length;
      if (broken > 0) throw new UserError(`${broken} of ${found.length} chains ${broken === 1 ? 'is' : 'are'} broken.`);
    });
  audit
    .command('head')
    .description('print the head of each chain; store it where people who can change the database cannot reach it')
    .addOption(whose())
    .action(async ({ merchant, json }: VerifyOptions) => {
      const heads = await withRuntime(async (runtime) => {
        const all = await Promise.all((await chainsOf(runtime, merchant)).map((chain) => findHead(runtime.db, chain)));
        return all.filter((head) => head !== undefined);
      });
      const printed = heads.map((head) => ({
        chain: head.chain,
        number: Number(head.number),
        sealedAt: head.sealedAt,
        head: formatHead(head),
      }));
      const lines = printed.map(({ head }) => head);
      printList(json, printed, lines, 'No entry is sealed yet. A worker seals new entries within seconds.');
    });
}

/** Returns the chains to verify: the chain of `merchant`; if no merchant is given, the chain of `head`; if neither is given, all chains. */
async function chainsOf(runtime: Runtime, merchant: string | undefined, head?: Head): Promise<string[]> {
  if (merchant === OPERATOR_CHAIN) return [OPERATOR_CHAIN];
  if (merchant !== undefined) return [(await needMerchant(runtime, merchant)).id];
  return head ? [head.chain] : listChains(runtime.db);
}

type Named = Verification & { readonly name: string };

function inJson({ chain, name, rows, head, broken, tail }: Named) {
  return {
    chain,
    name,
    holds: broken === null,
    entries: rows,
    head: head && formatHead(head),
    broken: broken && { kind: broken.kind, text: describeBreak(broken, 'en') },
    unsealed: tail.count,
    unsealedSince: tail.oldest,
  };
}

function describe({ name, rows, broken, tail }: Named): string {
  const open = tail.count > 0 ? `; ${tail.count} not sealed yet, the oldest from ${tail.oldest?.toISOString()}` : '';
  return broken === null ? `holds   ${name}: ${rows} entries${open}` : `BROKEN  ${name}: ${describeBreak(broken, 'en')}${open}`;
}

function readHead(text: string): Head {
  const head = parseHead(text);
  if (!head) throw new InvalidArgumentError('It must be a head that "bili audit head" printed: bili1:…');
  return head;
}
