'use client';

import Link from 'next/link';
import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { buttonClass, type Look } from './button';
import { Icon, type IconName } from './icon';
import { useScripted } from './use-scripted';

const Unfolded = createContext(false);

/** @param unfolded whether the sheets and their rows are open parts of the page, so that everything of them is visible. */
export function Sheets({ unfolded, children }: { readonly unfolded: boolean; readonly children: ReactNode }) {
  return <Unfolded value={unfolded}>{children}</Unfolded>;
}

/**
 * Returns whether to render what is hidden at first: at once in a page that the server has rendered, and after what is visible in a page that
 * a link has opened. On a slow phone, the hidden forms and links of a page take as long to render as what is visible.
 */
function useHiddenParts(): boolean {
  const scripted = useScripted();
  const [rendered, render] = useState(!scripted);
  useEffect(() => startTransition(() => render(true)), []);
  return rendered;
}

interface DrawerProps {
  /** Needed if the button has no text. */
  readonly label?: string | undefined;
  readonly button: ReactNode;
  readonly buttonClass: string;
  readonly className: string;
  readonly open?: boolean;
  /** What the button opens. `close` closes it and focuses the button. */
  readonly children: (close: () => void, content: boolean) => ReactNode;
}

/**
 * A button that opens something over the page. The browser itself opens it, so it works without JavaScript, and before the scripts of the
 * page have loaded. The shade around it belongs to the button, so a click on the shade closes it.
 */
function Drawer({ label, button, buttonClass, className, open = false, children }: DrawerProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const content = useHiddenParts();
  const close = () => {
    details.current?.removeAttribute('open');
    details.current?.querySelector('summary')?.focus();
  };
  // The result of a saved form gets the focus, so the sheet with the form closes too. The form may be gone by then, and have lost the focus.
  useEffect(() => {
    const leave = ({ target }: FocusEvent) => {
      if (target instanceof Node && !details.current?.contains(target)) details.current?.removeAttribute('open');
    };
    document.addEventListener('focusin', leave);
    return () => document.removeEventListener('focusin', leave);
  }, []);
  const press = (event: KeyboardEvent<HTMLDetailsElement>) => {
    if (event.key === 'Escape' && !event.defaultPrevented && event.currentTarget.open) close();
  };
  // A link may lead to another part of the same page.
  const follow = ({ target, currentTarget }: MouseEvent<HTMLDetailsElement>) => {
    if (target instanceof Element && target.closest('a[href]:not([target])')) currentTarget.removeAttribute('open');
  };
  return (
    <details ref={details} open={open} onKeyDown={press} onClick={follow} className={className}>
      <summary aria-label={label} className={`cursor-pointer list-none select-none ${buttonClass}`}>
        {button}
      </summary>
      {children(close, content)}
    </details>
  );
}

/** The rest of the window, while the sheet or menu is open. */
const SHADE =
  '[[open]>&]:before:fixed [[open]>&]:before:inset-0 [[open]>&]:before:z-30 [[open]>&]:before:cursor-default max-sm:tall:[[open]>&]:before:bg-shade';

interface SheetProps {
  readonly icon: IconName;
  /** The text of the button. */
  readonly button: string;
  readonly look?: Look;
  /** The heading of the sheet. */
  readonly title: string;
  /** The label of the button that closes the sheet. */
  readonly close: string;
  readonly open?: boolean;
  readonly children: ReactNode;
}

const OVER_PAGE =
  'shadow-lg max-sm:relative max-sm:z-40 max-sm:tall:fixed max-sm:tall:inset-x-0 max-sm:tall:bottom-0 max-sm:tall:max-h-[85vh] max-sm:tall:overflow-y-auto max-sm:tall:overscroll-contain max-sm:tall:animate-sheet max-sm:tall:rounded-t-2xl max-sm:tall:rounded-b-none max-sm:tall:pb-6 sm:absolute sm:left-0 sm:z-40 sm:w-md sm:max-w-full';

/**
 * A button that opens forms and links: on a phone a sheet at the bottom of the screen, otherwise a panel below the button. Its parent with
 * `relative` decides where the panel is.
 */
export function Sheet({ icon, button, look = 'plain', title, close: closeText, open = false, children }: SheetProps) {
  const unfolded = useContext(Unfolded);
  const scripted = useScripted();
  // The elements are the same in both cases: by their place, React finds the form that was sent.
  return (
    <Drawer
      open={open || unfolded}
      className={`print:hidden ${unfolded ? 'w-full' : 'max-sm:grow'}`}
      buttonClass={`${buttonClass(look)} w-full ${unfolded ? '' : SHADE}`}
      button={
        <>
          <Icon name={icon} /> {button}
        </>
      }
    >
      {(close, content) => (
        <section aria-label={title} className={`mt-2 rounded-xl border border-line bg-surface p-4 ${unfolded ? '' : OVER_PAGE}`}>
          <div className="mb-2 flex min-h-9 items-center justify-between gap-4">
            <h2 className="text-heading">{title}</h2>
            {scripted && (
              <button
                type="button"
                onClick={close}
                aria-label={closeText}
                className="-my-2 -mr-2 grid size-11 cursor-pointer place-items-center rounded-lg"
              >
                <Icon name="cross" className="size-5" />
              </button>
            )}
          </div>
          {content && children}
        </section>
      )}
    </Drawer>
  );
}

interface SheetRowProps {
  readonly icon: IconName;
  readonly title: string;
  readonly look?: 'plain' | 'danger';
  readonly children: ReactNode;
}

/** A row of a sheet that unfolds a form. Rows of one sheet close each other. */
export function SheetRow({ icon, title, look = 'plain', children }: SheetRowProps) {
  const unfolded = useContext(Unfolded);
  return (
    <details {...(unfolded ? { open: true } : { name: 'sheet-row' })} className="border-t border-line">
      <summary
        className={`flex min-h-12 cursor-pointer list-none items-center gap-3 font-semibold ${look === 'danger' ? 'text-danger' : ''}`}
      >
        <Icon name={icon} /> {title} <Icon name="down" className="ml-auto size-4 text-muted [[open]>summary>&]:rotate-180" />
      </summary>
      <section aria-label={title} className="pb-4">
        {children}
      </section>
    </details>
  );
}

interface SheetLinkProps {
  readonly icon: IconName;
  readonly title: string;
  readonly href: string;
  /** Whether the link leads out of the dashboard. */
  readonly out?: boolean;
}

/** A row of a sheet that leads to another page. */
export function SheetLink({ icon, title, href, out = false }: SheetLinkProps) {
  const className = 'flex min-h-12 items-center gap-3 border-t border-line font-semibold';
  const content = (
    <>
      <Icon name={icon} /> {title}
    </>
  );
  return out ? (
    <a href={href} className={className}>
      {content}
    </a>
  ) : (
    <Link href={href} prefetch={false} className={className}>
      {content}
    </Link>
  );
}

const MENU_LOOKS = {
  /** In a header. On a wide screen the panel is below it. */
  button: {
    frame: 'relative',
    button: 'flex min-h-control max-w-full min-w-0 items-center gap-1 rounded-lg px-2 font-semibold hover:bg-sunken',
    panel: 'sm:absolute sm:inset-x-auto sm:top-full sm:bottom-auto sm:mt-1 sm:w-68 sm:rounded-xl sm:border sm:p-2',
  },
  /** In the bar at the bottom of a narrow window. */
  bar: { frame: 'h-full', button: 'h-full', panel: 'sm:left-auto sm:w-96 sm:rounded-tl-2xl sm:border-l' },
} as const;

interface MenuProps {
  /** Needed if the button has no text. */
  readonly label?: string;
  readonly button: ReactNode;
  readonly look?: keyof typeof MENU_LOOKS;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/** A button that opens links and settings: as a sheet on a phone, below the button on a wide screen. */
export function Menu({ label, button, look = 'button', align = 'start', children }: MenuProps) {
  const { frame, panel, button: buttonLook } = MENU_LOOKS[look];
  return (
    <Drawer
      label={label}
      className={frame}
      buttonClass={`${SHADE} ${buttonLook}`}
      button={
        <>
          {button}
          {look === 'button' && <Icon name="down" className="size-4" />}
        </>
      }
    >
      {(_close, content) => (
        <div
          className={`fixed inset-x-0 bottom-0 z-40 max-h-[85vh] animate-sheet overflow-y-auto overscroll-contain rounded-t-2xl border-t border-line bg-surface p-3 pb-[calc(1rem+env(safe-area-inset-bottom,0px))] font-normal text-ink shadow-lg ${panel} ${align === 'end' ? 'sm:right-0' : ''}`}
        >
          {content && children}
        </div>
      )}
    </Drawer>
  );
}

interface MenuLinkProps {
  readonly href: string;
  readonly current?: boolean;
  readonly children: ReactNode;
}

export function MenuLink({ href, current = false, children }: MenuLinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={current ? 'true' : undefined}
      className="flex min-h-control items-center justify-between gap-2 rounded px-2 wrap-anywhere hover:bg-brand-soft focus-visible:-outline-offset-2 aria-[current]:font-bold"
    >
      {children}
      {current && <Icon name="check" />}
    </Link>
  );
}

export function MenuNote({ children }: { readonly children: ReactNode }) {
  return <p className="px-2 py-1 text-sm text-muted wrap-anywhere">{children}</p>;
}

export function MenuLine() {
  return <hr className="my-2 border-line" />;
}
