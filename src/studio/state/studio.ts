import { BehaviorSubject, catchError, from, mergeMap, of, pairwise, startWith } from 'rxjs';
import { type Form, formOf } from './form.js';
import { isTerminal, type Remote } from '../../remote.js';
import { openBench, type BenchStore } from './bench.js';
import { type Gateway, openGateway } from './gateway.js';
import { type GalleryStore, openGallery } from './gallery.js';
import { type Jobs, type KnownJob, openJobs } from './jobs.js';
import { openOutputs, type Outputs } from './outputs.js';
import type { NodeDefinitions } from '../../workflow.js';
import type { Session } from './session.js';
import type { World } from './world.js';
import { planRuns } from './plan-runs.js';
import { type Failure, failureOf } from './failure.js';

/** Everything that the views show and do, for one caller of the gateway. */
export interface Studio {
  readonly world: World;
  readonly gateway: Gateway;
  readonly remote: Remote;
  readonly bench: BenchStore;
  readonly definitions: BehaviorSubject<NodeDefinitions | undefined>;
  readonly form: BehaviorSubject<Form | undefined>;
  readonly jobs: Jobs;
  readonly gallery: GalleryStore;
  readonly outputs: Outputs;
  /** The job on the stage, by its key. */
  readonly chosen: BehaviorSubject<string | undefined>;
  /** Whether the gateway takes the page: undefined until it has answered. */
  readonly access: BehaviorSubject<'open' | Failure | undefined>;
  /** Runs the workflow on the bench. */
  readonly run: (times: number) => void;
  readonly close: () => void;
}

/** Makes the state of the page; each part is a stream of its own, and this is where they meet. */
export const openStudio = (world: World, session: Session): Studio => {
  const gateway = openGateway(world, session);
  const { remote } = gateway;
  const bench = openBench();
  const definitions = new BehaviorSubject<NodeDefinitions | undefined>(undefined);
  const form = new BehaviorSubject<Form | undefined>(undefined);
  const jobs = openJobs(remote, world);
  const gallery = openGallery(remote);
  const outputs = openOutputs(remote, session.token.value === undefined);
  const chosen = new BehaviorSubject<string | undefined>(undefined);
  const access = new BehaviorSubject<'open' | Failure | undefined>(undefined);

  formOf(bench.state, definitions).subscribe(form);
  from(gateway.definitions())
    .pipe(catchError(() => of(undefined)))
    .subscribe((known) => definitions.next(known));
  // What a reload or another tab has left under way.
  from(remote.list({ phases: ['pending', 'in_progress'], limit: 100 })).subscribe({
    next: (page) => {
      access.next('open');
      for (const { id, createdAt, metadata = {} } of page.jobs.toReversed())
        jobs.follow({ id, createdAt, metadata });
    },
    error: (error: unknown) => access.next(failureOf(error)),
  });
  endedJobs(jobs).subscribe(({ id, state, metadata, createdAt }) => {
    if (id !== undefined && state !== undefined) gallery.add({ id, state, metadata, createdAt });
  });
  gallery.more();

  return {
    ...{ world, gateway, remote, bench, definitions, form, jobs, gallery, outputs, chosen, access },
    run: (times) => {
      const [current, fields] = [bench.state.value, form.value?.shown];
      if (current === undefined || fields === undefined) return;
      const plan = planRuns(current, fields, { times, random: world.random, batch: world.uuid() });
      const [first] = jobs.submit(plan.runs);
      bench.act({ type: 'replace', workflow: plan.after });
      chosen.next(first);
    },
    close: () => remote.close(),
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
