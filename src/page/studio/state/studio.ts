import {
  BehaviorSubject,
  catchError,
  EMPTY,
  filter,
  from,
  mergeMap,
  pairwise,
  startWith,
  Subject,
  switchMap,
} from 'rxjs';
import { type BenchStore, openBench } from './bench.js';
import { changesElsewhere } from './elsewhere.js';
import { type Failure, failureOf } from './failure.js';
import { type Form, formOf, workflowTools } from './form.js';
import { type Galleries, openGalleries } from './galleries.js';
import { type Gateway, openGateway } from './gateway.js';
import { isTerminal, type Remote } from '../../../remote.js';
import { type Jobs, type KnownJob, openJobs } from './jobs.js';
import { openKeptTimes } from './kept-times.js';
import type { NodeDefinitions } from '../../../workflow.js';
import { fieldFor, type OfferedFile } from './offer-file.js';
import { openOutputs, type Outputs } from './outputs.js';
import type { RunPlan } from './plan-runs.js';
import type { Problem } from '../../../index.js';
import { problemsOf } from './problems.js';
import { openSavedTemplates, type SavedTemplates } from './saved-templates.js';
import type { Session } from './session.js';
import { openTabs } from './tabs.js';
import type { World } from './world.js';

/** Everything that the views show and do, for one caller of the gateway. */
export interface Studio {
  readonly world: World;
  readonly gateway: Gateway;
  readonly remote: Remote;
  readonly bench: BenchStore;
  readonly definitions: BehaviorSubject<NodeDefinitions | undefined>;
  readonly form: BehaviorSubject<Form | undefined>;
  readonly problems: BehaviorSubject<readonly Problem[]>;
  readonly jobs: Jobs;
  readonly galleries: Galleries;
  readonly outputs: Outputs;
  readonly templates: SavedTemplates;
  /** The job on the stage, by its key. */
  readonly chosen: BehaviorSubject<string | undefined>;
  /** Whether the gateway takes the page: undefined until it has answered. */
  readonly access: BehaviorSubject<'open' | Failure | undefined>;
  /** Runs the jobs of a plan, and shows the first of them. */
  readonly run: (plan: RunPlan) => void;
  /** Puts the workflow of a file on the bench; a picture, a sound or a film without one is offered to the form. */
  readonly bring: (file: Blob, name: string) => void;
  /** The latest file that holds none, and why. */
  readonly notBrought: BehaviorSubject<{ readonly name: string; readonly reason: string } | undefined>;
  /** Files that a field of the form may use. */
  readonly offered: Subject<OfferedFile>;
  /** Deletes a job that has ended, with what it made, in all tabs. */
  readonly deleteJob: (id: string) => Promise<void>;
  /** Mends what these problems know how to mend. */
  readonly fix: (problems: readonly Problem[]) => void;
  readonly close: () => void;
}

/** Makes the state of the page; each part is a stream of its own, and this is where they meet. */
export const openStudio = (world: World, session: Session): Studio => {
  const gateway = openGateway(world, session);
  const { remote } = gateway;
  const bench = openBench();
  const definitions = new BehaviorSubject<NodeDefinitions | undefined>(undefined);
  const form = new BehaviorSubject<Form | undefined>(undefined);
  const problems = new BehaviorSubject<readonly Problem[]>([]);
  const isOpen = session.token.value === undefined;
  const jobs = openJobs(remote, world, openKeptTimes(isOpen ? world.browser : world.tab));
  const galleries = openGalleries(remote, world.scheduler);
  const deleted = new Subject<string>();
  const outputs = openOutputs(remote, isOpen);
  const templates = openSavedTemplates(remote);
  const chosen = new BehaviorSubject<string | undefined>(undefined);
  const notBrought: Studio['notBrought'] = new BehaviorSubject<
    { readonly name: string; readonly reason: string } | undefined
  >(undefined);
  const offered = new Subject<OfferedFile>();
  const access = new BehaviorSubject<'open' | Failure | undefined>(undefined);

  formOf(bench.state, definitions).subscribe(form);
  problemsOf(bench.state, definitions, world.scheduler).subscribe(problems);
  const forget = (id: string): void => {
    galleries.tell({ type: 'deleted', id });
    for (const job of jobs.known.value.values()) if (job.id === id) jobs.forget(job.key);
  };
  const tabs = openTabs({ jobs, deleted, onDeleted: forget });
  const granted = access.pipe(filter((one) => one === 'open'));
  tabs.add(
    granted.pipe(switchMap(() => changesElsewhere(remote, world))).subscribe((change) => {
      if (change.type === 'deleted') forget(change.id);
      else galleries.tell(change);
    }),
  );
  // What a reload or another tab has left under way. A caller who is refused is asked to sign in, and asks for nothing else.
  from(remote.list({ phases: ['pending', 'in_progress'], limit: 100 })).subscribe({
    next: (page) => {
      access.next('open');
      for (const { id, createdAt, metadata = {} } of page.jobs.toReversed()) {
        jobs.follow({ id, createdAt, metadata });
      }
      galleries.all.more();
      // A gateway that keeps none shows none.
      templates.load().catch(() => undefined);
    },
    error: (error: unknown) => access.next(failureOf(error)),
  });
  granted
    .pipe(switchMap(() => from(gateway.definitions()).pipe(catchError(() => EMPTY))))
    .subscribe((known) => definitions.next(known));
  endedJobs(jobs).subscribe(({ id, state, metadata, createdAt }) => {
    if (id !== undefined && state !== undefined)
      galleries.tell({ type: 'ended', job: { id, state, metadata, createdAt } });
  });

  return {
    ...{ world, gateway, remote, bench, definitions, form, problems, jobs, galleries, outputs, templates },
    ...{ chosen, access, notBrought, offered },
    bring: (file, name) => {
      void import('./bring.js')
        .then(({ bringFile }) => bringFile(file, name, definitions.value))
        .then((found) => {
          const key = found._tag === 'None' ? fieldFor(file, form.value?.shown) : undefined;
          if (key !== undefined) offered.next({ key, file, name });
          const isLost = found._tag === 'None' && key === undefined;
          notBrought.next(isLost ? { name, reason: found.reason } : undefined);
          if (found._tag === 'Brought') bench.act({ type: 'bring', brought: found.brought });
        });
    },
    deleteJob: async (id) => {
      await gateway.deleteJob(id);
      forget(id);
      deleted.next(id);
    },
    run: ({ runs, after }) => {
      const [first] = jobs.submit(runs, bench.state.value?.ui);
      bench.act({ type: 'replace', workflow: after });
      chosen.next(first);
    },
    fix: (found) => {
      void workflowTools().then(({ applyFixes }) => {
        const current = bench.state.value;
        if (current !== undefined)
          bench.act({ type: 'replace', workflow: applyFixes(current.workflow, found), mended: found });
      });
    },
    close: () => {
      tabs.unsubscribe();
      galleries.close();
      remote.close();
    },
  };
};

/** Each job that ends while the page watches, once. */
const endedJobs = ({ known }: Pick<Jobs, 'known'>) =>
  known.pipe(
    startWith(new Map<string, KnownJob>()),
    pairwise(),
    mergeMap(([before, now]) =>
      [...now.values()].filter((job) => hasEnded(job) && !hasEnded(before.get(job.key))),
    ),
  );

const hasEnded = (job: KnownJob | undefined): boolean =>
  job?.state !== undefined && isTerminal(job.state.phase);
