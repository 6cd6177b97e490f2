import { useEffect, type ReactElement } from 'react';
import { texts } from '../texts.js';
import { useStudio, useValue } from './use-studio.js';
import { WatchedJob } from './stage/stage.js';

/** One job by its address: of a reload, a bookmark, or a link of someone else. */
const JobView = ({ id }: { readonly id: string }): ReactElement => {
  const { jobs } = useStudio();
  const job = [...useValue(jobs.known).values()].find((one) => one.id === id);
  useEffect(() => jobs.follow({ id, createdAt: 0, metadata: {} }), [jobs, id]);
  return (
    <div className="job-view">
      <a href="#/gallery">{texts.gallery.back}</a>
      <section className="stage card" aria-label={texts.stage.title}>
        {job === undefined ? <p className="stage-empty">{texts.loading}</p> : <WatchedJob job={job} />}
      </section>
    </div>
  );
};

export default JobView;
