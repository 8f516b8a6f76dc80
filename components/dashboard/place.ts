/**
 * The merchant and environment of a form. Every action reads them from the form and checks the access, so that tabs with different
 * merchants cannot be confused.
 */
export type Place = Readonly<Record<'merchant' | 'environment', string>>;
