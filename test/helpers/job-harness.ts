import { defer } from 'rxjs';
import { readServiceUrls } from '../../src/core/http/service-urls.js';
import { httpConnection, rightOf } from './http-connection.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type Dialect, dialects } from '../../src/client/dialects/dialects.js';
import { acceptedIds } from '../../src/client/jobs/accepted-ids.js';
import { fakePlatform, type FakePlatform, type FakeSocket } from './fake-platform.js';
import { fakeRest } from './fake-rest.js';
import { frameMemory } from '../../src/client/jobs/frame-memory.js';
import { type JobContext, openWork } from '../../src/client/jobs/job-context.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { jobTracker } from '../../src/client/jobs/tracker.js';
import { type KnownJobs, knownJobs, notingRest } from '../../src/client/jobs/known-jobs.js';
import { rateLimiter } from '../../src/client/jobs/rate-limiter.js';
import type { Rest } from '../../src/core/http/rest.js';
import { learnedIds } from '../../src/client/jobs/submission-ids.js';
import { lazyValidation } from '../../src/client/jobs/validate.js';

/** A job's surroundings in memory and virtual time: the test plays socket and REST. */
export interface JobHarness {
  readonly context: JobContext;
  readonly platform: FakePlatform;
  /** The jobs that REST answered for. */
  readonly known: KnownJobs;
  /** The latest socket. */
  readonly socket: () => FakeSocket;
  readonly close: () => void;
}

/** Makes a {@link JobHarness}. */
export const jobHarness = (rest: Partial<Rest> = {}, name: Dialect = 'cloud'): JobHarness => {
  const platform = fakePlatform();
  const known = knownJobs(platform.clock);
  const dialect = dialects[name];
  const source = dialect.events(platform, {
    urls: rightOf(readServiceUrls({ baseUrl: 'http://127.0.0.1' })),
    key: () => undefined,
    authHeaders: () => ({}),
    recorded: (heard) => heard,
    record: (promptId) => defer(fakeRest(rest).history(promptId)),
    refusal: () => Promise.resolve(undefined),
    lingerMs: 5_000,
  });
  const asking = { platform, rest: notingRest(fakeRest(rest), known, dialect.jobs), source };
  const tracker = jobTracker({
    ...asking,
    dialect,
    notFoundAfterMs: dialect.limits.notFoundAfterMs,
    limiter: rateLimiter(platform.clock),
    known,
    serves: fakeRest(rest).user(),
    endIsKnown: () => undefined,
  });
  return {
    context: {
      ...asking,
      dialect,
      ids: learnedIds(dialect.jobs, platform.uuid),
      accepted: acceptedIds(),
      listJobs: () => TE.left(serviceError('NotSupported', {})),
      cancelMany: undefined,
      deleting: dialect.deleting(httpConnection(platform), asking.rest),
      cancellations: { begin: () => undefined, ended: () => undefined },
      tracker,
      frames: frameMemory(platform.clock),
      work: openWork(),
      validate: lazyValidation(asking.rest, (value) => value),
    },
    known,
    platform,
    socket: () => platform.sockets.at(-1)!,
    close: source.close,
  };
};

/** What a subscriber saw. */
export interface Watched {
  readonly states: JobState[];
  readonly phases: () => readonly string[];
  readonly last: () => JobState;
  readonly completed: () => boolean;
  readonly error: () => unknown;
  readonly stop: () => void;
}

/** Subscribes and writes down what comes. */
export const watch = (source: {
  readonly subscribe: (observer: object) => { readonly unsubscribe: () => void };
}): Watched => {
  const states: JobState[] = [];
  let completed = false;
  let error: unknown;
  const subscription = source.subscribe({
    next: (state: JobState) => states.push(state),
    error: (problem: unknown) => (error = problem),
    complete: () => (completed = true),
  });
  return {
    states,
    phases: () => states.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]),
    last: () => states.at(-1)!,
    completed: () => completed,
    error: () => error,
    stop: () => subscription.unsubscribe(),
  };
};

/** Messages of one job, as the service would send them. */
export const messages = (promptId: string) => ({
  start: { type: 'execution_start', data: { prompt_id: promptId, timestamp: 1 } },
  executing: (node: string | null) => ({
    type: 'executing',
    data: { node, ...(node === null ? {} : { display_node: node }), prompt_id: promptId },
  }),
  progress: (node: string, value: number, max: number) => ({
    type: 'progress',
    data: { node, value, max, prompt_id: promptId },
  }),
  executed: (node: string, filename: string) => ({
    type: 'executed',
    data: { node, display_node: node, prompt_id: promptId, output: { images: [imageOf(filename)] } },
  }),
  success: { type: 'execution_success', data: { prompt_id: promptId, timestamp: 2 } },
  error: {
    type: 'execution_error',
    data: {
      prompt_id: promptId,
      node_id: '3',
      node_type: 'KSampler',
      executed: [],
      exception_type: 'OOMError',
      exception_message: 'out of memory\n',
      traceback: [],
      current_inputs: {},
      current_outputs: {},
      timestamp: 2,
    },
  },
  interrupted: {
    type: 'execution_interrupted',
    data: { prompt_id: promptId, node_id: '3', node_type: 'KSampler', executed: [], timestamp: 2 },
  },
});

/** A file descriptor of the interface. */
export const imageOf = (filename: string) => ({ filename, subfolder: '', type: 'output' });
