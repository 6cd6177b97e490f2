import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import { texts } from '../texts.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

/** A dialog before the page: the browser keeps the focus in it, and Escape closes it. */
export const Dialog = ({ title, onClose, children, isWide = false }: DialogProps): ReactElement => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'is-wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="quiet" onClick={onClose}>
          {texts.close}
        </button>
      </div>
      {children}
    </dialog>
  );
};

interface DialogEndProps {
  readonly onCancel: () => void;
  readonly onDone: () => void;
  /** What the button says that ends it. */
  readonly done: string;
  readonly isDisabled: boolean;
}

/** The buttons at the foot of a dialog. */
export const DialogEnd = ({ onCancel, onDone, done, isDisabled }: DialogEndProps): ReactElement => (
  <div className="dialog-end">
    <button type="button" onClick={onCancel}>
      {texts.cancel}
    </button>
    <button type="button" className="primary" disabled={isDisabled} onClick={onDone}>
      {done}
    </button>
  </div>
);
