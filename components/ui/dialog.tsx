'use client';

import * as Radix from '@radix-ui/react-dialog';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from './icon';

interface DialogProps extends Pick<Radix.DialogProps, 'open' | 'onOpenChange'> {
  /** The button that opens the dialog. Omit it if the page controls `open`. */
  readonly trigger?: ReactNode;
  readonly title: string;
  readonly text?: string;
  readonly close: string;
  readonly className?: string;
  readonly children: ReactNode;
}

const MIDDLE = 'inset-x-4 top-1/2 mx-auto grid max-h-[85vh] max-w-lg -translate-y-1/2 rounded-xl border p-5';

/** A modal dialog. The Escape key, the close button and a click outside close it. */
export function Dialog({ trigger, title, text, close, className = MIDDLE, children, ...opened }: DialogProps) {
  return (
    <Radix.Root {...opened}>
      {trigger !== undefined && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-shade" />
        <Radix.Content
          {...(text === undefined && { 'aria-describedby': undefined })}
          className={`fixed z-40 gap-4 overflow-y-auto border-line bg-surface shadow-lg ${className}`}
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="text-lg font-bold">{title}</Radix.Title>
            <Radix.Close className="-mt-2 -mr-2 grid size-11 shrink-0 cursor-pointer place-items-center rounded-lg" aria-label={close}>
              <Icon name="cross" className="size-5" />
            </Radix.Close>
          </div>
          {text !== undefined && <Radix.Description className="text-muted">{text}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface DrawerProps {
  /** The label of the button and the heading of the panel. */
  readonly label: string;
  readonly close: string;
  readonly children: ReactNode;
}

/** A button that opens a side panel, for content that does not fit on a narrow screen. The panel closes when another page is opened. */
export function Drawer({ label, close, children }: DrawerProps) {
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
          <Icon name="menu" className="size-6" />
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
