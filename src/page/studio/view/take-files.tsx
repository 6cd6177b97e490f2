import { useLayoutEffect, useState, type ReactElement } from 'react';
import { texts } from '../texts.js';
import { useStudio, useValue } from './use-studio.js';

/** Takes workflows that are dropped or pasted anywhere on the page, and says of a file that it has none. */
export const TakeFiles = (): ReactElement => {
  const { bring, notBrought } = useStudio();
  const problem = useValue(notBrought);
  const [isOver, setOver] = useState(false);
  // Before the page is painted, so that what is shown takes files.
  useLayoutEffect(() => {
    const take = (transfer: DataTransfer | null): boolean => {
      const [file] = transfer?.files ?? [];
      const text = transfer?.getData('text/plain') ?? '';
      if (file !== undefined) bring(file, file.name);
      else if (text.trimStart().startsWith('{')) bring(new Blob([text]), texts.bring.pasted);
      else return false;
      location.hash = '#/create';
      return true;
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (isOfField(event)) return;
      event.preventDefault();
      take(event.dataTransfer);
    };
    const onDragOver = (event: DragEvent): void => {
      if (isOfField(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (!isOfField(event) && take(event.clipboardData)) event.preventDefault();
    };
    addEventListener('drop', onDrop);
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('drop', onDrop);
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('paste', onPaste);
    };
  }, [bring]);
  return (
    <>
      {isOver && <div className="drop-veil" aria-hidden="true" />}
      {problem !== undefined && (
        <p role="alert" className="card error not-brought">
          {texts.bring.problem(problem.name, problem.reason)}
          <button type="button" className="quiet" onClick={() => notBrought.next(undefined)}>
            {texts.dismiss}
          </button>
        </p>
      )}
    </>
  );
};

/** Fields take texts and files themselves. */
const isOfField = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [data-takes-files]') !== null;
