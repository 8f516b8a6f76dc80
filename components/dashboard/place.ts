/** Where a form belongs: every action reads it from the form and decides anew who may, so that two tabs cannot be taken for each other. */
export type Place = Readonly<Record<'merchant' | 'environment', string>>;
