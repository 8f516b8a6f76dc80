'use client';

import * as Dialog from '@radix-ui/react-dialog';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon, type IconName } from './icon';

interface DrawerProps {
  readonly icon: IconName;
  /** What the button is called, and the panel's heading. */
  readonly label: string;
  readonly close: string;
  readonly children: ReactNode;
}

/** A button that opens a panel over the page's left side: for what a narrow screen has no room for. Going elsewhere closes it. */
export function Drawer({ icon, label, close, children }: DrawerProps) {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what it waits for.
  useEffect(() => setOpen(false), [path]);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="grid size-11 cursor-pointer place-items-center rounded-lg text-brand" aria-label={label}>
        <Icon name={icon} className="size-6" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col gap-2 overflow-y-auto border-r border-line bg-surface p-4 shadow-lg"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="text-lg font-bold">{label}</Dialog.Title>
            <Dialog.Close className="grid size-11 cursor-pointer place-items-center rounded-lg" aria-label={close}>
              <Icon name="cross" className="size-5" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
