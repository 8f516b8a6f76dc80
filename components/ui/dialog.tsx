'use client';

import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Icon } from './icon';

interface DialogProps {
  /** The button that opens the dialog. Omit it if the page controls `open`. */
  readonly trigger?: ReactElement<{ readonly onClick?: () => void; readonly 'aria-haspopup'?: 'dialog' }>;
  /** Whether the dialog is open. Omit it if only the trigger opens the dialog. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly title: string;
  readonly text?: string;
  readonly close: string;
  readonly children: ReactNode;
}

/** A modal dialog: a sheet at the bottom of a phone. The Escape key, the close button and a click outside close it. */
export function Dialog({ trigger, open, onOpenChange, ...content }: DialogProps) {
  const [own, setOwn] = useState(false);
  const turn = onOpenChange ?? setOwn;
  return (
    <>
      {trigger && cloneElement(trigger, { 'aria-haspopup': 'dialog', onClick: () => turn(true) })}
      {(open ?? own) && createPortal(<Modal {...content} onClose={() => turn(false)} />, document.body)}
    </>
  );
}

type ModalProps = Pick<DialogProps, 'title' | 'text' | 'close' | 'children'> & { readonly onClose: () => void };

function Modal({ title, text, close, children, onClose }: ModalProps) {
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  const leave = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (!dialog) return;
    // Browsers of before 2022 do not know dialogs. They show this one, but do not keep the focus in it.
    if (typeof dialog.showModal !== 'function') return dialog.setAttribute('open', '');
    const cancel = (event: Event) => {
      event.preventDefault();
      leave();
    };
    dialog.addEventListener('cancel', cancel);
    dialog.showModal();
    return () => {
      dialog.removeEventListener('cancel', cancel);
      // Gives the focus back to the button. An open dialog that is only removed does not.
      dialog.close();
    };
  }, []);
  // The shade around the dialog belongs to the dialog. A press that began inside, for example to select a text, does not close it.
  const outside = ({ type, target, currentTarget }: SyntheticEvent) => {
    if (type === 'mousedown') pressed.current = target;
    else if (target === currentTarget && pressed.current === currentTarget) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape.
    <dialog
      ref={box}
      aria-labelledby={`${id}-title`}
      aria-describedby={text === undefined ? undefined : `${id}-text`}
      onMouseDown={outside}
      onClick={outside}
      className="fixed inset-x-0 top-auto bottom-0 z-40 m-0 max-h-[85vh] w-full max-w-none animate-sheet overflow-y-auto overscroll-contain rounded-t-2xl border-line bg-surface text-ink shadow-lg backdrop:bg-shade sm:inset-4 sm:m-auto sm:h-fit sm:w-auto sm:max-w-lg sm:rounded-xl sm:border"
    >
      <div className="grid gap-4 p-5 max-sm:pb-[calc(1.25rem+env(safe-area-inset-bottom,0px))]">
        <div className="flex items-start justify-between gap-4">
          <h2 id={`${id}-title`} className="text-lg font-bold">
            {title}
          </h2>
          <button
            type="button"
            aria-label={close}
            onClick={onClose}
            className="-mt-2 -mr-2 grid size-11 shrink-0 cursor-pointer place-items-center rounded-lg"
          >
            <Icon name="cross" className="size-5" />
          </button>
        </div>
        {text !== undefined && (
          <p id={`${id}-text`} className="text-muted">
            {text}
          </p>
        )}
        {children}
      </div>
    </dialog>
  );
}
