/** The web process consists of two bundles with separate copies of this class, so the error is recognised by its name. */
const NAME = 'Overloaded';

/** Thrown to refuse work, because more work waits than can be done in time. The refused work was not begun. */
export class Overloaded extends Error {
  override readonly name = NAME;

  constructor() {
    super('too much work is waiting');
  }
}

export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}
