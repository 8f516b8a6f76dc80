export function find<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E | null {
  return root.querySelector<E>(selector);
}

/** Returns an element that every payment page has. */
export function need(selector: string, root?: ParentNode): HTMLElement {
  const element = find(selector, root);
  if (!element) throw selector;
  return element;
}
