import {
  BehaviorSubject,
  firstValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  ReplaySubject,
  Subject,
  throwError,
} from 'rxjs';
import type { Client, ConnectionState, Frame, Job, JobState, Rest, Workflow } from '../../src/index.js';
import { fromAbortSignal, initialJobState, serviceError } from '../../src/index.js';
import type { VirtualClock } from '../../src/testing/virtual-clock.js';

/** How an engine of the tests works. */
export interface EngineOptions {
  readonly clock: VirtualClock;
  readonly name: string;
  /** Twice as fast is 2. */
  readonly speed?: number;
  /** How long it loads one model, in milliseconds. */
  readonly loadMs?: number;
  /** The models that it has; default any. */
  readonly models?: readonly string[];
  /** Device memory in bytes; a job that says that it needs more fails for it. */
  readonly memory?: number;
}

/** One run, as the engine saw it. */
export interface EngineRun {
  readonly job: string;
  readonly from: number;
  to?: number;
  end?: 'completed' | 'failed' | 'cancelled' | 'killed';
}

/**
 * An engine that runs one job at a time in virtual time, with a client for it: the ledger is its own account of what it did.
 *
 * A workflow tells its job by the text of its node `note`: `{ job, workMs, memory? }`.
 */
export interface Engine {
  readonly client: Client;
  readonly runs: readonly EngineRun[];
  readonly loads: () => number;
  readonly submissions: () => number;
  /** What was submitted when. */
  readonly accepted: readonly { readonly job: string; readonly at: number }[];
  /** When it was away, and whether that cost it its jobs; `to` is absent while it is. */
  readonly outages: readonly { readonly from: number; readonly isKill: boolean; to?: number }[];
  /** The most jobs that it ever held. */
  readonly mostHeld: () => number;
  readonly kill: () => void;
  /** With `forgets` its queue and what ran are gone. */
  readonly start: () => void;
  /** Both, so quickly that no call fails: the socket alone shows it. */
  readonly restart: () => void;
  /** It goes on, and nothing reaches it. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** The files that it was sent, each time. */
  readonly uploads: readonly string[];
  /** Its files are gone, and nothing else shows it. */
  readonly loseDisk: () => void;
}

export const loader = (model: string): Workflow[string] => ({
  class_type: 'CheckpointLoaderSimple',
  inputs: { ckpt_name: model },
});

/** A workflow of one family: its model, how long it works at speed 1, and which job it is. */
export const workflowOf = (
  job: string,
  { model = 'base.safetensors', workMs = 1_000, memory = 0, steps = 20 } = {},
): Workflow => ({
  load: loader(model),
  note: { class_type: 'Note', inputs: { text: JSON.stringify({ job, workMs, memory }), steps } },
  save: { class_type: 'SaveImage', inputs: { images: ['load', 0], filename_prefix: ['note', 0] } },
});

interface Held {
  readonly id: string;
  readonly job: string;
  readonly workMs: number;
  readonly memory: number;
  readonly model: string;
  readonly states: BehaviorSubject<JobState>;
}

const read = (workflow: Workflow): Omit<Held, 'id' | 'states'> => ({
  ...(JSON.parse(String(workflow['note']?.inputs['text'])) as Pick<Held, 'job' | 'workMs' | 'memory'>),
  model: String(workflow['load']?.inputs['ckpt_name']),
});

const definition = (required: object, output: readonly string[] = []) => ({
  input: { required },
  output,
  output_node: output.length === 0,
  name: '',
  category: 'test',
});

const left = (error: unknown) => ({ _tag: 'Left', left: error }) as never;
const right = (value: unknown) => ({ _tag: 'Right', right: value }) as never;

const socketCut: ConnectionState = {
  ...{ _tag: 'waiting', attempt: 1, delayMs: 1_000 },
  reason: 'The socket was cut.',
};

export const engine = ({ clock, name, speed = 1, loadMs = 0, models, memory = 0 }: EngineOptions): Engine => {
  const runs: EngineRun[] = [];
  const queue: Held[] = [];
  const lost: Held[] = [];
  /** What it remembers, by id. */
  const known = new Map<string, Held>();
  const thawed = new Subject<void>();
  const broken = new Subject<ConnectionState>();
  const accepted: { job: string; at: number }[] = [];
  const files = new Map<string, Blob>();
  const uploads: string[] = [];
  const outages: { from: number; isKill: boolean; to?: number }[] = [];
  const back = (): void => {
    const last = outages.at(-1);
    if (last !== undefined) last.to ??= clock.now();
  };
  let current:
    | { readonly held: Held; readonly run: EngineRun; cancel: () => void; leftMs: number; since: number }
    | undefined;
  let loaded: string | undefined;
  let [loads, submissions, mostHeld] = [0, 0, 0];
  let mode: 'up' | 'dead' | 'frozen' = 'up';
  let isCut = false;

  const tell = ({ states }: Held, change: Partial<JobState>): void =>
    states.next({ ...states.value, ...change });
  const finish = (end: 'completed' | 'failed'): void => {
    if (current === undefined) return;
    const { held, run } = current;
    [run.to, run.end] = [clock.now(), end];
    current = undefined;
    tell(held, {
      phase: end,
      progress: end === 'completed' ? 1 : held.states.value.progress,
      ...(end === 'completed'
        ? { outputsComplete: true }
        : {
            failure: {
              exceptionType: 'OutOfMemoryError',
              exceptionMessage: 'Allocation on device',
              traceback: [],
              nodeErrors: {},
            },
          }),
    });
    held.states.complete();
    next();
  };
  const go = (): void => {
    if (current === undefined) return;
    current.since = clock.now();
    const { held, leftMs } = current;
    current.cancel = clock.after(leftMs, () => finish(held.memory > memory ? 'failed' : 'completed'));
  };
  const next = (): void => {
    if (mode !== 'up' || current !== undefined) return;
    const held = queue.shift();
    if (held === undefined) return;
    const run: EngineRun = { job: held.job, from: clock.now() };
    runs.push(run);
    const load = held.model === loaded ? 0 : loadMs;
    if (held.model !== loaded) loads += 1;
    loaded = held.model;
    current = { held, run, cancel: () => undefined, leftMs: load + held.workMs / speed, since: clock.now() };
    tell(held, { phase: 'in_progress' });
    go();
  };
  const end = (held: Held, phase: 'cancelled' | 'untraceable'): void => {
    tell(held, { phase });
    held.states.complete();
  };

  /** Whether it goes on before the caller leaves. */
  const thawedBefore = (signal: AbortSignal | undefined): Promise<boolean> =>
    firstValueFrom(merge(thawed.pipe(map(() => true)), fromAbortSignal(signal).pipe(map(() => false))));

  const submit: Client['submit'] =
    (workflow, options = {}) =>
    async () => {
      await new Promise<void>((resolve) => clock.after(5, resolve));
      if (mode === 'dead' || isCut)
        return left(serviceError('Network', { code: 'ECONNREFUSED', sent: false, message: 'refused' }));
      if (mode === 'frozen' && !(await thawedBefore(options.signal)))
        return left(serviceError('Aborted', { sent: false, message: 'The caller left.' }));
      const lacking = Object.entries(workflow).filter(
        ([, { class_type, inputs }]) => class_type === 'LoadImage' && !files.has(String(inputs['image'])),
      );
      if (lacking.length > 0)
        return left(
          serviceError('BadRequest', {
            message: 'Invalid image file.',
            nodeErrors: Object.fromEntries(
              lacking.map(([id]) => [id, { classType: 'LoadImage', errors: [], dependentOutputs: [] }]),
            ),
          }),
        );
      submissions += 1;
      const id = options.submissionId ?? `${name}-${submissions}`;
      const held: Held = {
        ...read(workflow),
        id,
        states: new BehaviorSubject<JobState>(initialJobState({ promptId: id, workflow })),
      };
      queue.push(held);
      known.set(id, held);
      accepted.push({ job: held.job, at: clock.now() });
      mostHeld = Math.max(mostHeld, queue.length + (current === undefined ? 0 : 1));
      clock.after(0, next);
      return right(handle(held));
    };
  const handle = (held: Held): Job => {
    const states = new ReplaySubject<JobState>(1);
    held.states.subscribe(states);
    return {
      promptId: held.id,
      states,
      frames: NEVER as Observable<Frame>,
      cancel: () => () => {
        const waiting = queue.indexOf(held);
        if (waiting >= 0) queue.splice(waiting, 1);
        if (current?.held === held) {
          current.cancel();
          [current.run.to, current.run.end] = [clock.now(), 'cancelled'];
          current = undefined;
        }
        end(held, 'cancelled');
        next();
        return Promise.resolve(right(undefined));
      },
    } as unknown as Job;
  };
  /** As an engine of a real service tells its classes. */
  const definitions = (): Readonly<Record<string, unknown>> => ({
    CheckpointLoaderSimple: definition({ ckpt_name: [[...(models ?? [])]] }, ['MODEL', 'CLIP', 'VAE']),
    Note: definition({ text: ['STRING', {}], steps: ['INT', {}] }, ['STRING']),
    SaveImage: definition({ images: ['MODEL'], filename_prefix: ['STRING', {}] }),
  });
  /** What it answers while it is there. */
  const answer = (read: () => never) => () =>
    Promise.resolve(
      mode === 'up' && !isCut
        ? read()
        : left(serviceError('Network', { code: 'ECONNREFUSED', sent: false, message: 'no answer' })),
    );
  const rest = {
    systemStats: () =>
      answer(() =>
        right({ system: {}, devices: memory === 0 ? [] : [{ vram_total: memory, vram_free: memory }] }),
      ),
    objectInfo: ({ nodeClass = '' } = {}) =>
      answer(() =>
        models === undefined
          ? left(serviceError('NotSupported', {}))
          : right({ [nodeClass]: definitions()[nodeClass] }),
      ),
    nodeReplacements: () => answer(() => left(serviceError('NotFound', {}))),
    uploadImage: ({ content, filename }: { readonly content: Blob; readonly filename: string }) =>
      answer(() => {
        files.set(filename, content);
        uploads.push(filename);
        return right({ name: filename, subfolder: '', type: 'input' });
      }),
    view: ({ filename }: { readonly filename: string }) =>
      answer(() => {
        const content = files.get(filename);
        return content === undefined
          ? left(serviceError('DownloadFailed', { filename, reason: 'it is gone', status: 404 }))
          : right({ blob: () => Promise.resolve(content) });
      }),
    jobStatus: (promptId: string) =>
      answer(() =>
        known.has(promptId)
          ? right({})
          : left(serviceError('NotFound', { promptId, message: 'no such job' })),
      ),
  } as unknown as Rest;

  const lose = (): void => {
    loaded = undefined;
    lost.push(...queue.splice(0));
    known.clear();
    if (current === undefined) return;
    current.cancel();
    [current.run.to, current.run.end] = [clock.now(), 'killed'];
    lost.push(current.held);
    current = undefined;
  };
  const start = (): void => {
    mode = 'up';
    back();
    // Its client finds out after half a minute that the engine knows these jobs no more.
    for (const held of lost.splice(0)) clock.after(30_000, () => end(held, 'untraceable'));
    next();
  };

  return {
    client: {
      frames: NEVER,
      connection: broken,
      stops: new BehaviorSubject({ _tag: 'none' }),
      submissionIds: 'jobs',
      rest,
      submit,
      job: (id: string) => {
        const held = known.get(id);
        return held === undefined
          ? {
              promptId: id,
              states: throwError(() => serviceError('NotFound', { promptId: id })),
              frames: NEVER,
            }
          : handle(held);
      },
      close: () => Promise.resolve(),
    } as unknown as Client,
    runs,
    loads: () => loads,
    submissions: () => submissions,
    mostHeld: () => mostHeld,
    uploads,
    loseDisk: () => files.clear(),
    accepted,
    outages,
    kill: () => {
      mode = 'dead';
      outages.push({ from: clock.now(), isKill: true });
      broken.next(socketCut);
      lose();
    },
    start,
    restart: () => {
      broken.next(socketCut);
      lose();
      start();
      broken.next({ _tag: 'open', clientId: `${name}-again` });
    },
    cut: () => {
      isCut = true;
      broken.next(socketCut);
    },
    mend: () => {
      isCut = false;
    },
    freeze: () => {
      mode = 'frozen';
      outages.push({ from: clock.now(), isKill: false });
      if (current === undefined) return;
      current.cancel();
      current.leftMs -= clock.now() - current.since;
    },
    thaw: () => {
      mode = 'up';
      back();
      thawed.next();
      go();
      next();
    },
  };
};
