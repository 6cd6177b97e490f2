import { useState, type ReactElement } from 'react';
import { DeleteButton } from './delete-button.js';
import { failureOf } from '../../state/failure.js';
import type { Item } from '../../state/gallery.js';
import { saveFile } from '../save-file.js';
import { texts } from '../../texts.js';
import { useStudio } from '../use-studio.js';

interface SelectionBarProps {
  readonly items: readonly Item[];
  readonly compare: () => void;
  readonly clear: () => void;
}

/** What can be done with the results that are chosen. */
export const SelectionBar = ({ items, compare, clear }: SelectionBarProps): ReactElement => {
  const { outputs } = useStudio();
  const [told, setTold] = useState<string>();
  const download = async (): Promise<void> => {
    const { zipOutputs } = await import('../../state/zip-outputs.js');
    const zip = await zipOutputs(items, outputs, (done) =>
      setTold(texts.selection.zipping(done, items.length)),
    );
    saveFile(zip, 'results.zip');
    setTold(undefined);
  };
  const canCompare = items.length === 2 && items.every(({ kind }) => kind === 'image');
  return (
    <div className="selection" role="toolbar" aria-label={texts.selection.title}>
      <span role="status">{told ?? texts.selection.count(items.length)}</span>
      <button type="button" disabled={!canCompare} title={texts.selection.compareHint} onClick={compare}>
        {texts.selection.compare}
      </button>
      <button
        type="button"
        onClick={() => void download().catch((error: unknown) => setTold(failureOf(error).message))}
      >
        {texts.selection.zip}
      </button>
      <DeleteButton jobIds={[...new Set(items.map(({ jobId }) => jobId))]} onDone={clear} />
      <button type="button" className="quiet" onClick={clear}>
        {texts.selection.clear}
      </button>
    </div>
  );
};
