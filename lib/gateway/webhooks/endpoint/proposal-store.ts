import type { Scope } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { Prisma } from '@/lib/platform/db/generated/client';

const SHOWN = { url: true, state: true, proposedBy: true, proposedAt: true, decidedAt: true, refusalReason: true } as const;

/** The last webhook address that a member proposed to the operator. */
export type Proposal = Prisma.WebhookProposalGetPayload<{ select: typeof SHOWN }>;

const keyOf = ({ merchantId, environment }: Scope) => ({ merchantId, environment });

export async function findProposal({ prisma }: Connection, scope: Scope): Promise<Proposal | null> {
  return prisma.webhookProposal.findUnique({ where: { merchantId_environment: keyOf(scope) }, select: SHOWN });
}

/** Stores an open proposal in place of the last one. */
export async function saveProposal(
  { prisma }: Connection,
  scope: Scope,
  proposal: Pick<Proposal, 'url' | 'proposedBy' | 'proposedAt'>,
): Promise<void> {
  const open = { ...proposal, state: 'open', decidedAt: null, refusalReason: null } as const;
  const where = { merchantId_environment: keyOf(scope) };
  await prisma.webhookProposal.upsert({ where, create: { ...keyOf(scope), ...open }, update: open });
}

type Decision =
  | { readonly state: 'approved'; readonly decidedAt: Date }
  | { readonly state: 'refused'; readonly decidedAt: Date; readonly refusalReason: string };

/** Decides the open proposal of exactly this address. Returns false if there is none. */
export async function decideProposal({ prisma }: Connection, scope: Scope, url: string, decision: Decision): Promise<boolean> {
  const { count } = await prisma.webhookProposal.updateMany({ where: { ...keyOf(scope), url, state: 'open' }, data: decision });
  return count > 0;
}

/** Lists the open proposals of all merchants with the merchant's slug, oldest first. For the operator only. */
export async function listOpenProposals({ prisma }: Connection) {
  const rows = await prisma.webhookProposal.findMany({
    where: { state: 'open' },
    select: {
      environment: true,
      url: true,
      proposedBy: true,
      proposedAt: true,
      profile: { select: { merchant: { select: { slug: true } } } },
    },
    orderBy: { proposedAt: 'asc' },
  });
  return rows.map(({ profile, ...proposal }) => ({ merchant: profile.merchant.slug, ...proposal }));
}
