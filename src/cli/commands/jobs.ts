import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../run-command.js';
import { createJobQueue, type JobQueue, type QueueJobPhase } from '../../queue.js';
import { askForPaid } from '../validation/paid-nodes.js';
import { definitionsFor, namesService } from './convert.js';
import { type ExitName, exitOfError, exitOfJob } from '../exit-code.js';
import {
  type Client,
  fromAbortSignal,
  initialJobState,
  isServiceError,
  isTerminal,
  type JobState,
  type Workflow,
} from '../../node.js';
import { filesOfTargets } from '../input/files-of-targets.js';
import {
  type FromFlags,
  integer,
  positive,
  withConnection,
  withFrom,
  withTimeout,
} from './common-options.js';
import { firstValueFrom, lastValueFrom, takeUntil, tap } from 'rxjs';
import { namesRedis, type QueueFlags, readQueue, withQueue } from '../input/queue-flags.js';
import { readGraphText, workflowOf } from '../input/graph-file.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { sourceOf } from '../input/read-json.js';
import { knownDefinitions } from '../validation/check-workflow.js';
import { UsageError } from '../cli-io.js';

interface JobsFlags extends CommonFlags, QueueFlags, FromFlags {
  readonly tenant?: string;
  readonly jobKey?: string;
  readonly priority?: number;
  readonly delay?: number;
  readonly phase?: QueueJobPhase;
  readonly after?: string;
  readonly reason?: string;
  readonly allowPaid?: boolean;
  readonly ephemeral?: boolean;
}

/** The session, the queue and the flags of an action. */
interface Acting {
  readonly session: Session;
  readonly queue: JobQueue;
  readonly flags: JobsFlags;
}

const phases: readonly QueueJobPhase[] = [
  ...([
    'delayed',
    'waiting',
    'running',
    'completed',
    'failed',
    'cancelled',
    'untraceable',
    'unknown',
  ] as const),
];

/** Adds `promptwire jobs`. */
export const addJobs = (program: Command, runCommand: RunCommand): void => {
  const command = program
    .command('jobs')
    .description('Add, list, show, follow and manage the jobs of a queue, which workers run.')
    .addArgument(new Argument('<action>', 'what to do').choices(Object.keys(actions)))
    .argument('[targets...]', 'files and folders of add, ids of show, follow and cancel')
    .option('--tenant <name>', 'whose jobs: of add and list')
    .option(
      '--job-key <key>',
      'add once for this key of the tenant, ever; a second add prints the id of the first: of add',
    )
    .option('--priority <n>', 'higher ones go first within their tenant; default 0: of add', whole)
    .option('--allow-paid', 'add a workflow with paid nodes without asking: of add')
    .option(
      '--ephemeral',
      'leave no file and no record at the service; workers take the pictures with --out: of add',
    )
    .option('--delay <seconds>', 'wait so long before the turn may come: of add', integer(31_536_000))
    .addOption(new Option('--phase <phase>', 'jobs in this phase: of list').choices(phases))
    .option(
      '--max-workflow-bytes <n>',
      'largest workflow that is added, compressed; default 32 MiB: of add',
      positive,
    )
    .option('--after <event>', 'go on after this event: of follow')
    .option('--reason <text>', 'why, as stats tells it: of pause');
  withTimeout(withConnection(withQueue(withFrom(command)))).action(
    (action: Action, targets: readonly string[], flags: JobsFlags) =>
      runCommand(flags, async (session) => {
        const { least, most = Infinity, what, act } = actions[action];
        if (targets.length < least || targets.length > most) {
          throw new UsageError(`jobs ${action} takes ${what}`);
        }
        if (action === 'show' && !namesRedis(session, flags)) return showAtService(session, targets);
        const queue = createJobQueue(readQueue(session, flags));
        try {
          return await act({ session, queue, flags }, targets);
        } finally {
          await queue.close();
        }
      }),
  );
};

const whole = (text: string): number => {
  if (!/^-?\d{1,9}$/u.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
};

/** How many jobs are added at once. */
const batch = 1_000;

/** Reads all workflows, then adds a job for each, and prints their ids once they are durable. */
const add = async ({ session, queue, flags }: Acting, targets: readonly string[]): Promise<ExitName> => {
  const { report, enterStage } = session;
  const { tenant = '', jobKey: key, priority = 0, delay = 0, ephemeral = false } = flags;
  const files = await filesOfTargets(targets);
  if (key !== undefined && files.length > 1)
    throw new UsageError('--job-key takes one file: a key is of one job');
  enterStage('prepare');
  const workflows: Workflow[] = [];
  for (const file of files) workflows.push(await readApiWorkflow(session, flags, file));
  const asked = { tenant, key, priority, delayMs: delay * 1000, ephemeral };
  const jobs = workflows.map((workflow) => ({ workflow, ...asked }));
  const phase = delay > 0 ? 'delayed' : 'waiting';
  for (let from = 0; from < jobs.length; from += batch) {
    const ids = await orStop(session, queue.addAll(jobs.slice(from, from + batch)));
    for (const id of ids) report({ kind: 'job', job: { id, tenant, phase, priority, key }, added: true });
  }
  return 'done';
};

/** The workflow of a file, converted where it is the editor's, and paid for where that is asked. */
const readApiWorkflow = async (session: Session, flags: JobsFlags, file: string): Promise<Workflow> => {
  const source = sourceOf(session, flags);
  const found = await readWorkflowFile(file, source);
  const graph = readGraphText(found, { from: flags.from, warn: source.warn });
  const workflow = await workflowOf(graph, session, { definitions: () => definitionsFor(session, flags) });
  if (flags.allowPaid !== true && namesService(session, flags))
    await askForPaid(session, await knownDefinitions(session), { workflow, name: file });
  return workflow;
};

const list = async ({ session, queue, flags: { tenant, phase } }: Acting): Promise<ExitName> => {
  const jobs = queue.list({ tenant, phase })[Symbol.asyncIterator]();
  for (;;) {
    const next = await orStop(session, jobs.next());
    if (next.done === true) return 'done';
    session.report({ kind: 'job', job: next.value });
  }
};

const show = async ({ session, queue }: Acting, ids: readonly string[]): Promise<ExitName> => {
  for (const id of ids) session.report({ kind: 'shown', id, state: await orStop(session, queue.state(id)) });
  return 'done';
};

/** Without a queue the ids are those of the service. */
const showAtService = async (session: Session, ids: readonly string[]): Promise<ExitName> => {
  const client = await session.connect({ keepsFrames: false });
  for (const id of ids) {
    // Following waits for a job that the service does not know, as it may be young.
    orThrow(await client.rest.jobStatus(id, { signal: session.stop })());
    const states = client.follow(id, { signal: session.stop });
    const state = await firstValueFrom(states, { defaultValue: initialJobState({ promptId: id }) });
    const place = state.phase === 'pending' ? await placeOf(session, client, id) : {};
    session.report({ kind: 'shown', id, state: { ...state, ...place } });
  }
  return 'done';
};

/** Of a service with a jobs API, which alone knows the place of a job that waits. */
const placeOf = async ({ stop }: Session, { rest }: Client, id: string): Promise<Pick<JobState, 'queue'>> => {
  const detail = await rest.jobDetail(id, { signal: stop, workflow: false })();
  return detail._tag === 'Right' && detail.right.queue !== undefined ? { queue: detail.right.queue } : {};
};

const follow = async ({ session, queue, flags }: Acting, [id = '']: readonly string[]): Promise<ExitName> => {
  const titles = new Map<string, string>();
  const states = queue.follow(id, { after: flags.after }).pipe(
    tap((state) => session.report({ kind: 'state', state, titles })),
    takeUntil(fromAbortSignal(session.stop)),
  );
  const last = await lastValueFrom<JobState, undefined>(states, { defaultValue: undefined });
  if (last === undefined || !isTerminal(last.phase)) throw new Error('watching ended before the job did');
  const { promptId, failure, phase } = last;
  if (failure !== undefined) session.report({ kind: 'failure', promptId, failure });
  session.report({ kind: 'job', job: { id, phase, promptId } });
  return exitOfJob(last);
};

const cancel = async ({ session, queue }: Acting, ids: readonly string[]): Promise<ExitName> => {
  const ends: ExitName[] = [];
  for (const id of ids) ends.push(await cancelOne(session, queue, id));
  return ends.find((end) => end !== 'done') ?? 'done';
};

const cancelOne = async (session: Session, queue: JobQueue, id: string): Promise<ExitName> => {
  try {
    const before = await orStop(session, queue.cancel(id));
    if (before === 'delayed' || before === 'waiting' || before === 'running') {
      session.report({ kind: 'cancelRequested', promptId: id });
      return 'done';
    }
    session.report({ kind: 'over', promptId: id, phase: before });
    return 'over';
  } catch (error) {
    // The others are asked for all the same.
    if (!isServiceError(error) || error._tag !== 'NotFound') throw error;
    session.report({ kind: 'error', error });
    return exitOfError(error, 'call');
  }
};

const pause = async ({ session, queue, flags: { reason } }: Acting): Promise<ExitName> => {
  await orStop(session, queue.pause(reason));
  session.report({ kind: 'queueChanged', change: 'paused' });
  return 'done';
};

const resume = async ({ session, queue }: Acting): Promise<ExitName> => {
  await orStop(session, queue.resume());
  session.report({ kind: 'queueChanged', change: 'resumed' });
  return 'done';
};

const drain = async ({ session, queue }: Acting): Promise<ExitName> => {
  await orStop(session, queue.drain());
  session.report({ kind: 'queueChanged', change: 'drained' });
  return 'done';
};

const clear = async ({ session, queue }: Acting): Promise<ExitName> => {
  session.report({ kind: 'queueChanged', change: 'cleared', jobs: await orStop(session, queue.clear()) });
  return 'done';
};

const stats = async ({ session, queue }: Acting): Promise<ExitName> => {
  session.report({ kind: 'stats', stats: await orStop(session, queue.stats()) });
  return 'done';
};

/** Gives up waiting when the command ends early. */
const orStop = <A>({ stop }: Session, work: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    const give = (): void => reject(new Error('the command was stopped'));
    stop.addEventListener('abort', give, { once: true });
    if (stop.aborted) give();
    work.then(resolve, reject).finally(() => stop.removeEventListener('abort', give));
  });

type Action =
  'add' | 'list' | 'show' | 'follow' | 'cancel' | 'pause' | 'resume' | 'drain' | 'clear' | 'stats';

interface ActionOf {
  /** How many targets it takes at least. */
  readonly least: number;
  readonly most?: number;
  readonly what: string;
  readonly act: (acting: Acting, targets: readonly string[]) => Promise<ExitName>;
}

const nothing = { least: 0, most: 0, what: 'no files or ids' };

const actions: Readonly<Record<Action, ActionOf>> = {
  add: { least: 1, what: 'one file or folder or more', act: add },
  list: { ...nothing, act: list },
  show: { least: 1, what: 'one id or more', act: show },
  follow: { least: 1, most: 1, what: 'one id', act: follow },
  cancel: { least: 1, what: 'one id or more', act: cancel },
  pause: { ...nothing, act: pause },
  resume: { ...nothing, act: resume },
  drain: { ...nothing, act: drain },
  clear: { ...nothing, act: clear },
  stats: { ...nothing, act: stats },
};
