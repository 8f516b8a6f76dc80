import { webhookContext } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { formatSecret } from '@/lib/gateway/webhooks/rules';
import { hashPassword, makePassword } from '@/lib/identity/accounts/passwords/password';
import { PRINTED_PASSWORD_MS } from '@/lib/identity/accounts/passwords/password-limits';
import { findUserByEmail } from '@/lib/identity/accounts/store';
import { auditRow } from '@/lib/identity/audit/record-entry';
import { isEmail, nameProblem, slugOf } from '@/lib/identity/merchants/rules';
import { LISTED, type Merchant } from '@/lib/identity/merchants/store';
import { type Actor, operatorActor, userActor } from '@/lib/platform/core/actor';
import { addMs } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { ProfileStatus } from '@/lib/platform/core/profile-status';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Runtime } from '@/lib/platform/runtime/runtime';

interface CreateMerchantOptions {
  readonly name: string;
  /** The owner's e-mail address. A new user gets a password. An existing user becomes the owner of this merchant, too. */
  readonly email: string;
  readonly live: ProfileStatus;
  /** The operator who creates the merchant. Ignored for a sign-up, where the owner is the actor. */
  readonly actor?: Actor;
  /** The data of an owner who signs up. The call fails if the e-mail address already has an account. `address` is the IP address. */
  readonly owner?: { readonly name: string; readonly password: string; readonly address: string | null };
  /** The credentials of the demo merchant, which the caller has stored in a file before this call. */
  readonly chosen?: {
    readonly password: string;
    readonly webhookSecret: string;
    readonly key: { readonly id: string; readonly secretHash: Uint8Array<ArrayBuffer> };
  };
}

interface CreatedMerchant {
  readonly merchant: Merchant;
  /** The owner's new password, which is shown once and works for three days. Null if the owner already had an account. */
  readonly password: string | null;
}

/** Creates a merchant with both profiles, an owner and signing secrets. Returns a sentence about the problem if the input is invalid. */
export async function createMerchant(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  { name, email, live, actor = operatorActor('demo'), owner: self, chosen }: CreateMerchantOptions,
): Promise<Result<CreatedMerchant, string>> {
  const problem = nameProblem(name);
  if (problem) return fail(problem);
  if (!isEmail(email)) return fail(`"${email}" is not an e-mail address`);
  const { db, clock, random } = runtime;
  const createdAt = clock();
  const passwordExpiresAt = addMs(createdAt, PRINTED_PASSWORD_MS);
  const id = newId(runtime);
  const owner = await findUserByEmail(db, email);
  if (owner && self) return fail(`the e-mail address ${email} already has an account`);
  const password = owner ? null : (self?.password ?? chosen?.password ?? makePassword(random));
  const user: Prisma.UserCreateNestedOneWithoutMembershipsInput = owner
    ? { connect: { id: owner.id } }
    : {
        create: {
          id: newId(runtime),
          email: email.toLowerCase(),
          name: self?.name ?? (email.split('@')[0] ?? email).replaceAll('.', ' '),
          passwordHash: await hashPassword(password ?? ''),
          // Whoever ran the command has seen a generated password.
          passwordExpiresAt: self || chosen ? null : passwordExpiresAt,
          createdAt,
          // The owner has opened the link in the sign-up mail, or the operator has confirmed the address.
          emailVerifiedAt: createdAt,
        },
      };

  const audit = auditRow(runtime, {
    merchantId: id,
    environment: null,
    actor: self ? userActor({ email }, self.address) : actor,
    action: 'merchant.created',
    subject: id,
    data: { name, email },
  });
  const data: Prisma.MerchantCreateInput = {
    id,
    slug: await freeSlug(runtime, name),
    name: name.trim(),
    createdAt,
    memberships: { create: { role: 'owner', createdAt, user } },
    profiles: {
      create: (['live', 'sandbox'] as const).map((environment) => ({
        environment,
        status: environment === 'live' ? live : ('active' as const),
        createdAt,
        endpoint: {
          create: newEndpoint(runtime, {
            merchantId: id,
            environment,
            createdAt,
            secret: environment === 'sandbox' ? chosen?.webhookSecret : undefined,
          }),
        },
        ...(chosen &&
          environment === 'sandbox' && {
            keys: { create: { ...chosen.key, firstId: chosen.key.id, label: 'Demo', createdBy: 'operator:demo', createdAt } },
          }),
      })),
    },
  };
  const { prisma } = db;
  const insert = prisma.merchant.create({ data, select: LISTED });
  const [merchant] = await prisma.$transaction([insert, prisma.auditEntry.create({ data: audit })]);
  return ok({ merchant, password });
}

interface NewEndpointOptions {
  readonly merchantId: string;
  readonly environment: 'live' | 'sandbox';
  readonly createdAt: Date;
  readonly secret: string | undefined;
}

function newEndpoint(
  runtime: Pick<Runtime, 'clock' | 'random' | 'secrets'>,
  { merchantId, environment, createdAt, secret = formatSecret(runtime.random(32)) }: NewEndpointOptions,
) {
  const encryptedSecret = runtime.secrets.encrypt(secret, webhookContext({ merchantId, environment }));
  return { id: newId(runtime), encryptedSecret, statusSince: createdAt, createdAt, updatedAt: createdAt };
}

async function freeSlug({ db }: Pick<Runtime, 'db'>, name: string): Promise<string> {
  const slug = slugOf(name);
  const similar = await db.prisma.merchant.findMany({ where: { slug: { startsWith: slug } }, select: { slug: true } });
  const taken = new Set(similar.map((one) => one.slug));
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}
