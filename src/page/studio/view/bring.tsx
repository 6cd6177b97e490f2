import type { ReactElement } from 'react';
import { texts } from '../texts.js';
import { useStudio } from './use-studio.js';

/** Opens a file with a workflow, and says what else can be done. */
export const Bring = (): ReactElement => {
  const { bring } = useStudio();
  return (
    <div className="bring">
      <label className="bring-open">
        <input
          type="file"
          className="visually-hidden"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) bring(file, file.name);
          }}
        />
        <span className="button primary">{texts.bring.open}</span>
      </label>
      <span className="hint">{texts.bring.how}</span>
    </div>
  );
};
