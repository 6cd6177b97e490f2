import type { ReactElement } from 'react';
import { isUnderWay, type KnownJob } from '../../state/jobs.js';
import { itemsOf } from '../../state/gallery.js';
import { JobFailureView } from './job-failure.js';
import { Result } from './result.js';
import { texts } from '../../texts.js';
import { usePreview } from '../../../react.js';
import { useProgress } from '../use-progress.js';
import { useStudio, useValue } from '../use-studio.js';

/** The job that is watched: its picture as it grows, then what it has made. */
export const Stage = (): ReactElement => {
  const { chosen, jobs } = useStudio();
  const job = useValue(jobs.known).get(useValue(chosen) ?? '');
  return (
    <section className="stage card" aria-label={texts.stage.title}>
      {job === undefined ? (
        <p className="stage-empty">{texts.stage.empty}</p>
      ) : (
        <WatchedJob key={job.key} job={job} />
      )}
    </section>
  );
};

/** A job with its picture, its bar and its words. */
export const WatchedJob = ({ job }: { readonly job: KnownJob }): ReactElement => {
  const { remote } = useStudio();
  const { state, failure, id } = job;
  const progress = useProgress(job);
  const isRunning = isUnderWay(job);
  const { url } = usePreview(remote, isRunning ? id : undefined);
  const items =
    state === undefined || id === undefined
      ? []
      : itemsOf({ id, state, metadata: job.metadata, createdAt: job.createdAt });
  return (
    <>
      <div className="stage-picture">
        {failure !== undefined || state?.phase === 'failed' ? (
          <JobFailureView job={job} />
        ) : isRunning ? (
          url === undefined ? (
            <div className="stage-waiting" aria-hidden="true" />
          ) : (
            <img src={url} alt={texts.stage.preview} />
          )
        ) : (
          <Result items={items} phase={state?.phase} />
        )}
      </div>
      <progress value={isRunning ? progress.value : 1} max={1} aria-label={texts.stage.progress} />
      <p className="stage-state" role="status">
        {texts.stage.state(job)}
        {isRunning && progress.timeLeftMs !== undefined && (
          <span className="stage-left"> · {texts.timeLeft(progress.timeLeftMs)}</span>
        )}
      </p>
    </>
  );
};
