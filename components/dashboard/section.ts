/** The pages of a merchant's environment, as they stand in the navigation. */
export const SECTIONS = ['bills', 'webhooks', 'keys'] as const;
export type Section = (typeof SECTIONS)[number];
