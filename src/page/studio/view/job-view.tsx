import { useEffect, type ReactElement } from 'react';
import type { KnownJob } from '../state/jobs.js';
import { labels } from '../state/labels.js';
import { texts } from '../texts.js';
import { useStudio, useValue } from './use-studio.js';
import { useReuse } from './use-reuse.js';
import { WatchedJob } from './stage/watched-job.js';

/** One job by its address: of a reload, a bookmark, or a link of someone else. */
const JobView = ({ id }: { readonly id: string }): ReactElement => {
  const { jobs, gateway } = useStudio();
  const job = [...useValue(jobs.known).values()].find((one) => one.id === id);
  useEffect(() => {
    gateway.named(id).then(jobs.follow, () => jobs.follow({ id, createdAt: 0, metadata: {} }));
    return () => {
      const unknown = [...jobs.known.value.values()].find((one) => one.key === id && one.state === undefined);
      // A link that led nowhere is no job of the queue.
      if (unknown?.failure !== undefined) jobs.forget(unknown.key);
    };
  }, [gateway, jobs, id]);
  const reuse = useReuse();
  return (
    <div className="job-view">
      <div className="section-head">
        <a href="#/gallery">{texts.gallery.back}</a>
        <h2>{titleOf(job)}</h2>
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

/** The workflow of a job, and its cell where it is one of a grid; a job without labels is just the job. */
const titleOf = (job: KnownJob | undefined): string =>
  [job?.metadata[labels.title], job?.metadata[labels.cell]].filter((one) => one !== undefined).join(' · ') ||
  texts.stage.title;

export default JobView;
