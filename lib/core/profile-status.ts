export const PROFILE_STATUSES = ['pending', 'active', 'suspended', 'closed'] as const;
export type ProfileStatus = (typeof PROFILE_STATUSES)[number];
