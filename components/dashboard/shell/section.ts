import type { IconName } from '@/components/ui/icon';
import type { Permission } from '@/lib/accounts/permissions';

/** The pages of a merchant's environment in the order of the navigation, with the permission that each requires. */
export const SECTIONS = [
  { section: 'overview', icon: 'gauge', permission: 'overview.view' },
  { section: 'bills', icon: 'document', permission: 'bills.view' },
  { section: 'webhooks', icon: 'send', permission: 'webhooks.view' },
  { section: 'keys', icon: 'key', permission: 'keys.view' },
  { section: 'team', icon: 'people', permission: 'team.view' },
  { section: 'settings', icon: 'sliders', permission: 'settings.view' },
  { section: 'audit', icon: 'list', permission: 'audit.view' },
] as const satisfies readonly { readonly section: string; readonly icon: IconName; readonly permission: Permission }[];

export type Section = (typeof SECTIONS)[number]['section'];
