export type ProfileStatus = 'pending' | 'active' | 'suspended' | 'closed';
