import type { ReactElement } from 'react';
import { textsOfState } from '../../state/texts-of-state.js';
import type { JobState } from '../../../../index.js';
import { texts } from '../../texts.js';

/** What nodes of a job say: the texts of its outputs, and the latest of those that run. */
export const JobTexts = ({ state }: { readonly state: JobState | undefined }): ReactElement | null => {
  const told = state === undefined ? [] : textsOfState(state);
  if (told.length === 0) return null;
  return (
    <section className="job-texts" aria-label={texts.stage.texts}>
      {told.map(({ nodeId, text }, at) => (
        <blockquote key={at}>
          <p>{text}</p>
          <footer className="hint">{texts.stage.textOf(nodeId)}</footer>
        </blockquote>
      ))}
    </section>
  );
};
