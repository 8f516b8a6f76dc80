import type { Product } from '@/testing/product';
import { sql } from './pay-stage';
import { newMerchant, type TestMerchant } from './people';

/** Adds a new person with a role to a merchant. The person is also the owner of another new merchant. */
export async function newMember(product: Product, merchant: TestMerchant, role: 'admin' | 'viewer' | 'collector'): Promise<TestMerchant> {
  const person = await newMerchant(product, `Home of a ${role}`);
  await sql(
    product,
    `INSERT INTO membership (merchant_id, user_id, role, created_at) SELECT $1, id, $3::role, now() FROM "user" WHERE email = $2`,
    merchant.id,
    person.email,
    role,
  );
  return person;
}
