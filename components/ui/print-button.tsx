'use client';

import { Button } from './button';
import { Icon } from './icon';

/** Opens the print dialog of the browser. */
export function PrintButton({ text }: { readonly text: string }) {
  return (
    <Button type="button" onClick={() => window.print()}>
      <Icon name="print" />
      {text}
    </Button>
  );
}
