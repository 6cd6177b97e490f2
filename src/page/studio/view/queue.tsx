import type { ReactElement } from 'react';
import { isUnderWay, type KnownJob } from '../state/jobs.js';
import { labels } from '../state/labels.js';
import type { Remote } from '../../../remote.js';
import { Servers } from './servers.js';
import { texts } from '../texts.js';
import { useProgress } from './use-progress.js';
import { useServers } from './use-servers.js';
import { useStudio, useValue } from './use-studio.js';

/**
 * The jobs that wait and run: where they stand, how long it takes, and how to end them. With `isAlways` it stays while there is no job, so
 * that nothing moves when jobs come and go.
 */
const Queue = ({ isAlways = false }: { readonly isAlways?: boolean }): ReactElement | null => {
  const { jobs, remote } = useStudio();
  const all = [...useValue(jobs.known).values()];
  const shown = all.filter((job) => isUnderWay(job) || job.failure !== undefined);
  const running = shown.filter(isUnderWay);
  const servers = useServers();
  if (shown.length === 0 && !isAlways) return null;
  return (
    <section aria-labelledby="queue" className={isAlways ? 'queue is-always' : 'queue'}>
      <div className="section-head">
        <h2 id="queue">{texts.queue.title(running.length)}</h2>
        {running.length > 1 && (
          <button type="button" onClick={() => cancelJobs(remote, running)}>
            {texts.queue.cancelAll}
          </button>
        )}
      </div>
      <Servers servers={servers} />
      {shown.length === 0 && <p className="hint">{texts.queue.empty}</p>}
      <ul className="queue-list" tabIndex={shown.length > 3 ? 0 : undefined}>
        {shown.map((job, at) => (
          <QueuedJob key={job.key} job={job} place={running.indexOf(job) + 1 || at + 1} />
        ))}
      </ul>
    </section>
  );
};

const QueuedJob = ({ job, place }: { readonly job: KnownJob; readonly place: number }): ReactElement => {
  const { jobs, remote, chosen } = useStudio();
  const { id, failure, metadata } = job;
  const isChosen = useValue(chosen) === job.key;
  const progress = useProgress(job);
  const title = metadata[labels.cell] ?? metadata[labels.title] ?? id ?? '';
  return (
    <li className="queued" aria-current={isChosen ? 'true' : undefined}>
      <button type="button" className="queued-title" onClick={() => chosen.next(job.key)}>
        {title}
      </button>
      {failure === undefined ? (
        <>
          <progress value={progress.value} max={1} aria-label={texts.queue.progressOf(title)} />
          <span className="queued-state">{texts.queue.state(job, place, progress)}</span>
          <button
            type="button"
            className="quiet"
            disabled={id === undefined}
            aria-label={texts.queue.cancelOne(title)}
            onClick={() => cancelJobs(remote, [job])}
          >
            {texts.queue.cancel}
          </button>
        </>
      ) : (
        <>
          <span className="error" role="alert">
            {failure.message} {failure.hint}
          </span>
          <button type="button" className="quiet" onClick={() => jobs.forget(job.key)}>
            {texts.dismiss}
          </button>
        </>
      )}
    </li>
  );
};

export default Queue;

/** Asks for the end of jobs; how each of them ended is what its states say. */
const cancelJobs = (remote: Pick<Remote, 'cancel'>, jobs: readonly KnownJob[]): void => {
  for (const { id } of jobs) if (id !== undefined) remote.cancel(id).catch(() => undefined);
};
