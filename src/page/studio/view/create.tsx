import { lazy, Suspense, type ReactElement } from 'react';
import { LatestResults } from './latest-results.js';
import { Library } from './library.js';
import { texts } from '../texts.js';
import { useStudio, useValue } from './use-studio.js';

const Workshop = lazy(() => import('./workshop.js'));
const Queue = lazy(() => import('./queue.js'));

/** The view to begin in: a workflow to pick, or the one that was picked. */
export const Create = (): ReactElement => {
  const { bench, jobs } = useStudio();
  const isPicked = useValue(bench.state) !== undefined;
  const hasJobs = useValue(jobs.known).size > 0;
  if (isPicked) {
    return (
      <Suspense fallback={<p className="waiting">{texts.loading}</p>}>
        <Workshop />
      </Suspense>
    );
  }
  return (
    <div className="entrance">
      <Library />
      {hasJobs && (
        <Suspense fallback={null}>
          <Queue />
        </Suspense>
      )}
      <LatestResults />
    </div>
  );
};
