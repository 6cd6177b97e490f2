import { lazy, Suspense, useState, type ReactElement } from 'react';
import { isUnderWay, type KnownJob } from '../../state/jobs.js';
import { JobTexts } from './job-texts.js';
import { Picture } from './picture.js';
import { texts } from '../../texts.js';
import { useJobWorkflow } from './use-job-workflow.js';
import { useProgress } from '../use-progress.js';
import { type Replay, useReplay } from '../use-replay.js';
import { ReplayBar } from './replay-bar.js';
import { Waterfall } from './waterfall.js';
import type { Workflow } from '../../../../index.js';

const Graph = lazy(() => import('./graph.js'));
const Inspect = lazy(() => import('../inspect/inspect.js'));

const tabs = ['picture', 'graph', 'times', 'inside'] as const;
type Tab = (typeof tabs)[number];

/** A job with its picture, its bar and its words; and, for those who want to know, its graph, its times and its events. */
export const WatchedJob = ({ job }: { readonly job: KnownJob }): ReactElement => {
  const [tab, setTab] = useState<Tab>('picture');
  const replay = useReplay(job);
  const { shown } = replay;
  const own = useJobWorkflow(job, tab === 'picture');
  const { recording } = replay;
  return (
    <>
      <Tabs tab={tab} setTab={setTab} />
      {recording !== undefined && <ReplayBar replay={replay} />}
      <div id="stage-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className="tab-panel">
        <Suspense fallback={null}>
          <Panel tab={tab} job={job} replay={replay} workflow={recording?.workflow ?? own} />
        </Suspense>
      </div>
      <JobProgress job={shown} isReplay={recording !== undefined} />
      <JobTexts state={shown.state} />
    </>
  );
};

interface PanelProps {
  readonly tab: Tab;
  readonly job: KnownJob;
  readonly replay: Replay;
  readonly workflow: Workflow | undefined;
}

const Panel = ({ tab, job, replay, workflow }: PanelProps): ReactElement | null => {
  const { shown, picture, recording } = replay;
  const { ui, state, timeline, failure } = shown;
  switch (tab) {
    case 'picture':
      // A recording has its previews; of its end the job itself has the results.
      return (
        <Picture
          job={shown}
          recorded={state?.phase === 'completed' && job.id === state.promptId ? undefined : picture}
        />
      );
    case 'graph': {
      const marked = new Set(failure?.faults?.map(({ nodeId }) => nodeId));
      return workflow === undefined ? null : <Graph {...{ workflow, ui, state, timeline, marked }} />;
    }
    case 'times':
      return <Waterfall timeline={timeline} workflow={workflow} />;
    case 'inside':
      return <Inspect id={job.id} replay={replay} workflow={workflow} ui={recording?.ui ?? ui} />;
  }
};

/** How far a job is, in words as well. */
const JobProgress = ({
  job,
  isReplay,
}: {
  readonly job: KnownJob;
  readonly isReplay: boolean;
}): ReactElement => {
  const progress = useProgress(job);
  const isRunning = isUnderWay(job);
  const value = isReplay ? (job.state?.progress ?? 0) : isRunning ? progress.value : 1;
  return (
    <>
      <progress className={endOf(job)} value={value} max={1} aria-label={texts.stage.progress} />
      <p className="stage-state">
        <span role="status">{texts.stage.state(job)}</span>
        {isRunning && !isReplay && progress.timeLeftMs !== undefined && (
          <span className="stage-left"> · {texts.timeLeft(progress)}</span>
        )}
      </p>
    </>
  );
};

/** How a job ended that has made nothing, as the colour of its bar. */
const endOf = ({ state, failure }: KnownJob): string | undefined => {
  if (failure !== undefined || state?.phase === 'failed') return 'is-failed';
  return state?.phase === 'cancelled' ? 'is-cancelled' : undefined;
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
