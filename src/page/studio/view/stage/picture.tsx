import { useRef, type ReactElement } from 'react';
import { isUnderWay, type KnownJob } from '../../state/jobs.js';
import { itemsOf } from '../../state/gallery.js';
import { JobFailureView } from './job-failure.js';
import { Result } from './result.js';
import { texts } from '../../texts.js';
import { usePreview } from '../../../../react.js';
import { useStudio } from '../use-studio.js';

interface PictureProps {
  readonly job: KnownJob;
  /** The preview of a recording. */
  readonly recorded?: string | undefined;
}

/** The picture of a job as it grows, then what it has made, or why it has made nothing. */
export const Picture = ({ job, recorded }: PictureProps): ReactElement => (
  <div className="stage-picture">
    {recorded === undefined ? <Shown job={job} /> : <img src={recorded} alt={texts.stage.preview} />}
  </div>
);

const Shown = ({ job }: { readonly job: KnownJob }): ReactElement => {
  const { remote } = useStudio();
  const { id, state, failure, metadata, createdAt } = job;
  const isRunning = isUnderWay(job);
  const wasRunning = useRef(false);
  if (isRunning) wasRunning.current = true;
  // The last preview stays until the result covers it.
  const { url } = usePreview(remote, wasRunning.current ? id : undefined);
  if (failure !== undefined || state?.phase === 'failed') return <JobFailureView job={job} />;
  if (!isRunning && state !== undefined && id !== undefined) {
    return (
      <Result
        items={itemsOf({ id, state, metadata, createdAt })}
        phase={state.phase}
        preview={wasRunning.current ? url : undefined}
      />
    );
  }
  return url === undefined ? (
    <div className="stage-waiting" aria-hidden="true" />
  ) : (
    <img src={url} alt={texts.stage.preview} />
  );
};
