'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from './dialog';
import { Icon, type IconName } from './icon';

interface DrawerProps {
  readonly icon: IconName;
  /** The label of the button and the heading of the panel. */
  readonly label: string;
  readonly close: string;
  readonly children: ReactNode;
}

/** A button that opens a side panel, for content that does not fit on a narrow screen. Navigation closes it. */
export function Drawer({ icon, label, close, children }: DrawerProps) {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run when the path changes.
  useEffect(() => setOpen(false), [path]);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="grid size-11 cursor-pointer place-items-center rounded-lg text-brand" aria-label={label}>
          <Icon name={icon} className="size-6" />
        </button>
      }
      title={label}
      close={close}
      className="inset-y-0 left-0 flex w-72 max-w-[85vw] flex-col border-r p-4"
    >
      {children}
    </Dialog>
  );
}
