'use client';

import * as Radix from '@radix-ui/react-dropdown-menu';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Icon } from './icon';

interface MenuProps {
  readonly label: string;
  readonly button: ReactNode;
  readonly align?: 'start' | 'end';
  /** Whether the button has no arrow on a narrow screen. */
  readonly short?: boolean;
  readonly children: ReactNode;
}

export function Menu({ label, button, align = 'start', short = false, children }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger
        aria-label={label}
        className="flex min-h-control max-w-full min-w-0 cursor-pointer items-center gap-1 rounded-lg px-2 font-semibold hover:bg-sunken"
      >
        {button}
        <Icon name="down" className={short ? 'size-4 max-sm:hidden' : 'size-4'} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={12}
          className="z-30 max-h-(--radix-dropdown-menu-content-available-height) w-64 overflow-y-auto rounded-lg border border-line bg-surface p-2 shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuLinkProps {
  readonly href: string;
  readonly current?: boolean;
  readonly children: ReactNode;
}

export function MenuLink({ href, current = false, children }: MenuLinkProps) {
  return (
    <Radix.Item asChild>
      <Link
        href={href}
        prefetch={false}
        aria-current={current ? 'true' : undefined}
        className="flex min-h-control items-center justify-between gap-2 rounded px-2 wrap-anywhere outline-none data-highlighted:bg-brand-soft aria-[current]:font-bold"
      >
        {children}
        {current && <Icon name="check" />}
      </Link>
    </Radix.Item>
  );
}

export function MenuNote({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="px-2 py-1 text-sm text-muted wrap-anywhere">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="my-2 border-t border-line" />;
}
