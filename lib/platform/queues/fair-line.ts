/** Waiting items, in order for each subject. Subjects take turns, so a subject with many items delays only itself. */
export class FairLine<Item> {
  /** The items by subject. The next item comes from the first subject. */
  readonly #lines = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(subject: string): number {
    return this.#lines.get(subject)?.size ?? 0;
  }

  push(subject: string, item: Item): void {
    const line = this.#lines.get(subject) ?? new Set<Item>();
    this.#lines.set(subject, line.add(item));
    this.#size += 1;
  }

  /** Removes the next item and returns it. Returns undefined if no item waits. */
  shift(): Item | undefined {
    for (const [subject, line] of this.#lines) {
      for (const item of line) {
        // Moves the subject to the end, so that all other subjects come first.
        this.#lines.delete(subject);
        if (line.size > 1) this.#lines.set(subject, line);
        line.delete(item);
        this.#size -= 1;
        return item;
      }
    }
    return undefined;
  }

  /** Removes an item if it still waits. */
  remove(subject: string, item: Item): void {
    const line = this.#lines.get(subject);
    if (!line?.delete(item)) return;
    this.#size -= 1;
    if (line.size === 0) this.#lines.delete(subject);
  }
}
