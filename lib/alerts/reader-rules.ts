import { type Role, roleMay } from '@/lib/accounts/permissions';
import type { AlertReader } from './alert';

/** Pure. Returns which notifications a member with this role gets. */
export function readerOf(role: Role, userId: string): AlertReader {
  return {
    webhooks: roleMay(role, 'webhooks.view'),
    team: roleMay(role, 'team.view'),
    money: roleMay(role, 'overview.view'),
    imports: roleMay(role, 'bills.import'),
    billsOf: role === 'collector' ? userId : null,
    userId,
  };
}
