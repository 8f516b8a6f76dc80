import type { FormAction } from '@/components/ui/forms/action-form';

/**
 * The merchant and environment of a form. Every action reads them from the form and checks the access, so that tabs with different
 * merchants cannot be confused.
 */
export type Place = Readonly<Record<'merchant' | 'environment', string>>;

/** The merchant, environment and bill of a form. Every form of the bill's page sends them. */
export type BillPlace = Readonly<Record<keyof Place | 'bill', string>>;

/** The props of a form of a merchant's page. */
export interface PlacedForm<State, Where = Place> {
  readonly action: FormAction<State>;
  readonly place: Where;
}
