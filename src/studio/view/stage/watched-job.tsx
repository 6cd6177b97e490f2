import { lazy, Suspense, useState, type ReactElement } from 'react';
import { isUnderWay, type KnownJob } from '../../state/jobs.js';
import { JobTexts } from './job-texts.js';
import { Picture } from './picture.js';
import { texts } from '../../texts.js';
import { useJobWorkflow } from './use-job-workflow.js';
import { useProgress } from '../use-progress.js';
import { Waterfall } from './waterfall.js';

const Graph = lazy(() => import('./graph.js'));
const Inspect = lazy(() => import('../inspect/inspect.js'));

const tabs = ['picture', 'graph', 'times', 'inside'] as const;
type Tab = (typeof tabs)[number];

/** A job with its picture, its bar and its words; and, for those who want to know, its graph, its times and its events. */
export const WatchedJob = ({ job }: { readonly job: KnownJob }): ReactElement => {
  const [tab, setTab] = useState<Tab>('picture');
  const { id, state, ui, timeline, failure } = job;
  const marked = new Set(failure?.faults?.map(({ nodeId }) => nodeId));
  const workflow = useJobWorkflow(job, tab === 'picture');
  const progress = useProgress(job);
  const isRunning = isUnderWay(job);
  return (
    <>
      <Tabs tab={tab} setTab={setTab} />
      <div id="stage-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className="tab-panel">
        <Suspense fallback={null}>
          {tab === 'picture' && <Picture job={job} />}
          {tab === 'graph' && workflow !== undefined && (
            <Graph workflow={workflow} ui={ui} state={state} timeline={timeline} marked={marked} />
          )}
          {tab === 'times' && <Waterfall timeline={timeline} workflow={workflow} />}
          {tab === 'inside' && <Inspect id={id} workflow={workflow} />}
        </Suspense>
      </div>
      <progress value={isRunning ? progress.value : 1} max={1} aria-label={texts.stage.progress} />
      <p className="stage-state">
        <span role="status">{texts.stage.state(job)}</span>
        {isRunning && progress.timeLeftMs !== undefined && (
          <span className="stage-left"> · {texts.timeLeft(progress.timeLeftMs)}</span>
        )}
      </p>
      <JobTexts state={state} />
    </>
  );
};

const Tabs = ({ tab, setTab }: { readonly tab: Tab; readonly setTab: (tab: Tab) => void }): ReactElement => (
  <div
    className="tabs"
    role="tablist"
    aria-label={texts.stage.views}
    onKeyDown={({ key }) => {
      const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
      if (by === 0 || next === undefined) return;
      setTab(next);
      document.getElementById(`tab-${next}`)?.focus();
    }}
  >
    {tabs.map((one) => (
      <button
        key={one}
        id={`tab-${one}`}
        type="button"
        role="tab"
        className="quiet"
        aria-selected={one === tab}
        aria-controls="stage-panel"
        tabIndex={one === tab ? 0 : -1}
        onClick={() => setTab(one)}
      >
        {texts.stage.tabs[one]}
      </button>
    ))}
  </div>
);
