import { dependencyCycle } from './local-nodes.js';
import { createPythonHeap, ServerError } from './python.js';
import type { EmulatorClock } from '../clock.js';
import { event, type EventData, type ServiceMessage, statusEvent } from '../messages.js';
import { historyRecord, type LocalJob, type LocalRunEnvironment, runLocalJob } from './run-local-job.js';
import type { LocalLog } from './local-log.js';
import { type LocalHub, recipientOf } from './local-hub.js';
import { newJob, type Submission } from '../scheduler/job.js';
import { recordDelays } from './record-delay.js';
import type { Settings } from '../settings.js';

/** The position of a submission in the queue and its client. */
export type QueuePosition = Pick<LocalJob, 'id' | 'number' | 'shownNumber' | 'clientId'>;

/** The local server's queue: lowest number first, one job at a time, history in memory. */
export interface LocalQueue {
  /** Queues a job; throws {@link ServerError} for a duplicate of number and id, which is queued all the same. */
  readonly submit: (submission: Submission, place: QueuePosition, isRestored?: boolean) => void;
  readonly running: () => readonly LocalJob[];
  /** Waiting jobs in heap order, not in the order of execution. */
  readonly pending: () => readonly LocalJob[];
  /** Removes a waiting job without an event; false if none has this id. */
  readonly remove: (promptId: string) => boolean;
  readonly clear: () => void;
  /** Interrupts the running job, if it is this one or no id is given; without effect before `execution_start`. */
  readonly interrupt: (promptId?: string) => void;
  /**
   * Removes a waiting job, or interrupts the running one; false if there is neither. True promises nothing: before `execution_start`
   * the interrupt has no effect.
   */
  readonly cancel: (promptId: string) => boolean;
  /** Records of ended jobs, the oldest first; a reused id replaces its record. */
  readonly history: Map<string, EventData>;
  /** Messages for a new socket of this client id: the running node, if it belongs to its job. */
  readonly reconnectMessages: (clientId: unknown) => readonly ServiceMessage[];
  readonly stop: () => void;
}

/** The dependencies of the queue. */
export interface LocalQueueEnvironment extends Pick<
  LocalRunEnvironment,
  'nodeClasses' | 'cache' | 'files' | 'pace' | 'reserve' | 'assetId'
> {
  /** Called with every job before its first message; `isRestored` where it was another queue's before. */
  readonly onAccepted: (job: LocalJob, isRestored: boolean) => void;
  /** Called with every job that begins to run. */
  readonly onStarted: (job: LocalJob) => void;
  /** True for a job that the server forgets at its start. */
  readonly losesWorker: (job: LocalJob) => boolean;
  readonly log: Pick<LocalLog, 'write'>;
  /** Called after each job, before the next one begins. */
  readonly afterJob: () => void;
  readonly settings: Settings;
  readonly clock: EmulatorClock;
  readonly hub: Pick<LocalHub, 'send' | 'hasBrokenFlags'>;
}

/** An empty queue. */
export const createLocalQueue = (given: LocalQueueEnvironment): LocalQueue => {
  const { settings, clock, hub, pace } = given;
  const waiting = createPythonHeap(comesBefore);
  const history = new Map<string, EventData>();
  const nextRecordDelay = recordDelays(settings);
  const stopping = new AbortController();
  let current: { readonly job: LocalJob; started: boolean; node: string | undefined } | undefined;

  const broadcastQueueLength = (): void =>
    hub.send(statusEvent(waiting.items.length + (current ? 1 : 0), settings.switches), 'all');

  const submit: LocalQueue['submit'] = (submission, place, isRestored = false) => {
    const job = newJob(submission, place, clock.now());
    given.onAccepted(job, isRestored);
    given.log.write('got prompt');
    try {
      waiting.push(job);
    } finally {
      broadcastQueueLength();
      void work();
    }
  };

  const work = async (): Promise<void> => {
    if (current || stopping.signal.aborted) return;
    const job = waiting.pop();
    if (!job) return;
    current = { job, started: false, node: undefined };
    try {
      await pace.turn(stopping.signal);
      broadcastQueueLength();
      await pace.step(stopping.signal);
      await run(job, current);
    } catch {
      return;
    }
    void work();
  };

  const run = async (job: LocalJob, place: NonNullable<typeof current>): Promise<void> => {
    const send = sender(given, job, stopping.signal, (node) => {
      place.node = node;
    });
    if (given.losesWorker(job)) {
      job.status = 'lost';
      current = undefined;
      broadcastQueueLength();
      return;
    }
    place.started = true;
    const startedAt = clock.now();
    job.status = 'executing';
    given.onStarted(job);
    const completed = await runLocalJob(job, {
      ...given,
      ...{ send, switches: settings.switches, ffmpeg: settings.ffmpeg, now: clock.now },
      breaksOnPreview: () => hub.hasBrokenFlags(job.clientId),
    });
    end(job, completed, startedAt, { ...given, stopping: stopping.signal });
    // A client that reads the record on the terminal event may be too early, as with the engine.
    await pace.pause(nextRecordDelay(), stopping.signal);
    renew(history, job.id, historyRecord(job, completed || isCycle(job)));
    current = undefined;
    given.afterJob();
    broadcastQueueLength();
    send(event('executing', { node: null, prompt_id: job.id }));
  };

  const remove: LocalQueue['remove'] = (promptId) => {
    const wasLast = waiting.items.length === 1;
    if (!waiting.remove(({ id }) => id === promptId)) return false;
    // The engine wipes the last one and then deletes it, and reports the queue twice.
    if (wasLast) broadcastQueueLength();
    broadcastQueueLength();
    return true;
  };
  const interrupt: LocalQueue['interrupt'] = (promptId) => {
    if (!current?.started || (promptId !== undefined && promptId !== current.job.id)) return;
    current.job.abort.abort();
  };

  return {
    submit,
    history,
    running: () => (current ? [current.job] : []),
    pending: () => waiting.items,
    remove,
    clear: () => {
      waiting.clear();
      broadcastQueueLength();
    },
    interrupt,
    cancel: (promptId) => {
      if (current?.job.id !== promptId) return remove(promptId);
      interrupt(promptId);
      return true;
    },
    reconnectMessages: (clientId) =>
      current?.node !== undefined && current.job.clientId === clientId
        ? [event('executing', { node: current.node })]
        : [],
    stop: () => {
      stopping.abort();
      waiting.clear();
      current?.job.abort.abort();
    },
  };
};

/** Notes when and how a job ended; a process that was killed meanwhile ends none. */
const end = (
  job: LocalJob,
  completed: boolean,
  startedAt: number,
  { clock, log, stopping }: Pick<LocalQueueEnvironment, 'clock' | 'log'> & { readonly stopping: AbortSignal },
): void => {
  stopping.throwIfAborted();
  job.endedAt = clock.now();
  log.write(`Prompt executed in ${((job.endedAt - startedAt) / 1000).toFixed(2)} seconds`);
  job.status = statusOf(completed, job);
};

/** Puts an entry last, in the place of an older one. */
const renew = (history: LocalQueue['history'], id: string, record: EventData): void => {
  history.delete(id);
  history.set(id, record);
};

/** Sends the messages of a job to the sockets that they are for, and tells which node runs. */
const sender =
  (
    { settings, hub }: Pick<LocalQueueEnvironment, 'settings' | 'hub'>,
    job: LocalJob,
    stopping: AbortSignal,
    running: (node: string | undefined) => void,
  ) =>
  (message: ServiceMessage): void => {
    if (stopping.aborted) return;
    if (message.kind === 'event' && message.type === 'executing') running(nodeOf(message.data));
    const isSent = settings.facts.nodeStates || !isNodeState(message);
    const to = isSent ? recipientOf(message, job) : undefined;
    if (to) hub.send(message, to);
  };

/** An interrupted job's record has `error` like a failed one; only its last message differs. */
const statusOf = (succeeded: boolean, { messages }: LocalJob): LocalJob['status'] => {
  if (succeeded) return 'success';
  return messages.at(-1)?.[0] === 'execution_interrupted' ? 'cancelled' : 'error';
};

const isNodeState = (message: ServiceMessage): boolean =>
  message.kind === 'event' && message.type === 'progress_state';

/** The engine calls a run that came to a cycle of its nodes a success: only the messages of its record say that it failed. */
const isCycle = ({ failure }: LocalJob): boolean => failure?.exception_type === dependencyCycle;

const nodeOf = ({ display_node: node }: EventData): string | undefined =>
  typeof node === 'string' ? node : undefined;

/** By number, then by id; two workflows can't be compared. */
const comesBefore = (a: LocalJob, b: LocalJob): boolean => {
  if (a.number !== b.number) return a.number < b.number;
  if (a.id !== b.id) return a.id < b.id;
  throw new ServerError('two workflows can not be compared');
};
