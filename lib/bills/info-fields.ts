/** Maximum lengths of the optional values of a bill in characters. */
export const CUSTOMER_NAME_MAX = 100;
export const DESCRIPTION_MAX = 255;

/** The optional fields of a form or file. */
export const INFO_FIELDS = ['customerName', 'description', 'dueDate'] as const;
export type InfoField = (typeof INFO_FIELDS)[number];

/** The optional values of a bill as a person typed them. */
export type TypedInfo = Readonly<Partial<Record<InfoField, string>>>;
