import { useEffect, type ReactElement } from 'react';
import { labels } from '../state/plan-runs.js';
import { texts } from '../texts.js';
import { useStudio, useValue } from './use-studio.js';
import { useReuse } from './use-reuse.js';
import { WatchedJob } from './stage/watched-job.js';

/** One job by its address: of a reload, a bookmark, or a link of someone else. */
const JobView = ({ id }: { readonly id: string }): ReactElement => {
  const { jobs } = useStudio();
  const job = [...useValue(jobs.known).values()].find((one) => one.id === id);
  useEffect(() => jobs.follow({ id, createdAt: 0, metadata: {} }), [jobs, id]);
  const reuse = useReuse();
  return (
    <div className="job-view">
      <div className="section-head">
        <a href="#/gallery">{texts.gallery.back}</a>
        <button
          type="button"
          disabled={job?.state === undefined}
          onClick={() => reuse.use(id, job?.metadata[labels.title] ?? id)}
        >
          {texts.gallery.useAgain}
        </button>
      </div>
      {reuse.problem !== undefined && (
        <p role="alert" className="error">
          {reuse.problem}
        </p>
      )}
      <section className="stage card" aria-label={texts.stage.title}>
        {job === undefined ? <p className="stage-empty">{texts.loading}</p> : <WatchedJob job={job} />}
      </section>
    </div>
  );
};

export default JobView;
