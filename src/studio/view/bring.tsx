import { useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { texts } from '../texts.js';
import { useStudio } from './use-studio.js';

/** The place to bring a workflow: drop a file anywhere, open one, or paste. */
export const Bring = (): ReactElement => {
  const { bench, definitions } = useStudio();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isOver, setOver] = useState(false);
  // Before the page is painted, so that what is shown takes files.
  useLayoutEffect(() => {
    const bring = async (file: Blob, name: string): Promise<void> => {
      const { bringFile } = await import('../state/bring.js');
      const brought = await bringFile(file, name, definitions.value);
      setProblem(brought._tag === 'Brought' ? undefined : texts.bring.problem(name, brought.reason));
      if (brought._tag === 'Brought') bench.act({ type: 'bring', brought: brought.brought });
    };
    const take = (transfer: DataTransfer | null): boolean => {
      const [file] = transfer?.files ?? [];
      const text = transfer?.getData('text/plain') ?? '';
      if (file !== undefined) void bring(file, file.name);
      else if (text.trimStart().startsWith('{')) void bring(new Blob([text]), texts.bring.pasted);
      else return false;
      return true;
    };
    const isField = ({ target }: Event): boolean =>
      target instanceof HTMLElement && target.closest('input, textarea, select, [data-takes-files]') !== null;
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (isField(event)) return;
      event.preventDefault();
      take(event.dataTransfer);
    };
    const onDragOver = (event: DragEvent): void => {
      if (isField(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (!isField(event) && take(event.clipboardData)) event.preventDefault();
    };
    const onChange = (): void => {
      const [file] = input.current?.files ?? [];
      if (file !== undefined) void bring(file, file.name);
    };
    const field = input.current;
    field?.addEventListener('change', onChange);
    addEventListener('drop', onDrop);
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('paste', onPaste);
    return () => {
      field?.removeEventListener('change', onChange);
      removeEventListener('drop', onDrop);
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('paste', onPaste);
    };
  }, [bench, definitions]);
  return (
    <div className={`bring${isOver ? ' is-over' : ''}`}>
      <label className="bring-open">
        <input ref={input} type="file" className="visually-hidden" />
        <span className="button primary">{texts.bring.open}</span>
      </label>
      <span className="hint">{texts.bring.how}</span>
      {problem !== undefined && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
    </div>
  );
};
