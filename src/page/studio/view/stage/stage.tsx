import { lazy, Suspense, useEffect, useRef, type ReactElement } from 'react';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';
import { WatchedJob } from './watched-job.js';

const Graph = lazy(() => import('./graph.js'));

/** The job that is watched; before the first one, the workflow as a graph. */
export const Stage = (): ReactElement => {
  const { chosen, jobs, bench, problems } = useStudio();
  const job = useValue(jobs.known).get(useValue(chosen) ?? '');
  const current = useValue(bench.state);
  const section = useRef<HTMLElement>(null);
  const key = job?.key;
  const before = useRef(key);
  useEffect(() => {
    if (key !== undefined && key !== before.current) bringIntoView(section.current);
    before.current = key;
  }, [key]);
  const marked = new Set(useValue(problems).flatMap(({ nodeId }) => nodeId ?? []));
  return (
    <section ref={section} className="stage card" aria-label={texts.stage.title}>
      {job !== undefined ? (
        <WatchedJob key={job.key} job={job} />
      ) : (
        <>
          <div className="tabs" aria-hidden="true" />
          <div className="tab-panel">
            {current !== undefined && (
              <Suspense fallback={null}>
                <Graph
                  workflow={current.workflow}
                  ui={current.ui}
                  state={undefined}
                  timeline={undefined}
                  marked={marked}
                />
              </Suspense>
            )}
          </div>
          <p className="hint">{texts.stage.empty}</p>
        </>
      )}
    </section>
  );
};

/** On a narrow screen the job stands below the form: one that begins scrolls into view. */
const bringIntoView = (section: HTMLElement | null): void => {
  if (section !== null && section.getBoundingClientRect().top > innerHeight / 2)
    section.scrollIntoView({ block: 'start' });
};
