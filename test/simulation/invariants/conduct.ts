import type { ConnectionState } from '../../../src/core/socket/connection-state.js';
import { isServiceError } from '../../../src/core/errors/service-error.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import type { Played } from '../play.js';
import type { Watcher } from '../watcher.js';

/** I5: no plan was accepted twice. */
export const duplicateSubmissions = ({ backend }: Played): readonly string[] => {
  const count = new Map<number, number>();
  for (const { correlation } of backend.ledger.accepted)
    count.set(correlation, (count.get(correlation) ?? 0) + 1);
  return [...count]
    .filter(([, times]) => times > 1)
    .map(([plan, times]) => `I5 job ${plan} was accepted ${times} times`);
};

/** I6: nothing of one job reached another one. */
export const foreignStates = ({ observed, schedule }: Played): readonly string[] => [
  ...observed.strayed.map((promptId) => `I6 a frame of ${promptId} went to another job`),
  ...observed.watchers.flatMap(({ states, job }) => {
    const last = states.at(-1);
    if (last === undefined) return [];
    const nodes = schedule.jobs.find(({ index }) => index === job)!.nodes;
    const own = new Set([
      '7',
      '__proto__',
      'constructor',
      '',
      ...Array.from({ length: nodes }, (_, node) => `${100 * (job + 1) + node}`),
    ]);
    return [...Object.keys(last.nodes), ...Object.keys(last.outputs)]
      .filter((nodeId) => !own.has(nodeId))
      .map((nodeId) => `I6 job ${job} shows node ${nodeId} of another one`);
  }),
];

/** I7: nothing is left after the client is closed, and nothing is sent. */
export const leftovers = ({ held, observed, requestsAfterClose }: Played): readonly string[] => [
  ...Object.entries(held)
    .filter(([, count]) => count !== 0)
    .map(([what, count]) => `I7 ${count} ${what} are left`),
  ...observed.signals
    .filter(({ listeners }) => listeners() !== 0)
    .map(({ listeners }) => `I7 ${listeners()} abort listeners are left`),
  ...(requestsAfterClose === 0 ? [] : [`I7 ${requestsAfterClose} requests after the end`]),
];

/** I13: phases go forward, progress never back, and connection states follow one another as they may, and the sockets. */
export const illegalSteps = ({ observed, connection, backend }: Played): readonly string[] => [
  ...observed.watchers.flatMap(illegalStates),
  ...connection.flatMap(({ state }, index) => {
    const before = connection[index - 1]?.state;
    return before === undefined || follows(before, state) ? [] : [`I13 ${before._tag} → ${state._tag}`];
  }),
  ...backend.ledger.drops.flatMap((drop) => {
    const inForce = connection.findLast(({ at }) => at <= drop);
    return inForce?.state._tag === 'open' && inForce.at < drop ? ['I13 open without a socket'] : [];
  }),
];

/** I14: each error is one of ours and says whether to try again; a job's error names the job. */
export const untypedErrors = ({ observed }: Played): readonly string[] => [
  ...observed.watchers.flatMap(({ job, hasError, error, states }) => {
    if (!hasError()) return [];
    const known = states.at(-1)?.promptId ?? '';
    return untyped(error(), job, known);
  }),
  ...[...observed.refusals].flatMap(([job, { error }]) => untyped(error, job, '')),
];

const untyped = (error: unknown, job: number, promptId: string): readonly string[] => {
  if (!isServiceError(error) || !(error instanceof Error))
    return [`I14 job ${job} errored with ${String(error)}`];
  const problems: string[] = [];
  if (!['never', 'after', 'unknown outcome'].includes(error.retry)) problems.push(`retry ${error.retry}`);
  if (error.hint === '' || error.message === '') problems.push('no words');
  if (promptId !== '' && error.promptId !== promptId && error._tag !== 'Aborted')
    problems.push(`promptId ${error.promptId ?? 'missing'}`);
  return problems.map((problem) => `I14 job ${job} ${error._tag}: ${problem}`);
};

const order = [
  'submitting',
  'pending',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
  'untraceable',
  'unknown',
];

const illegalStates = ({ job, states, name }: Watcher): readonly string[] =>
  states.flatMap((state, index) => {
    const before = states[index - 1];
    if (before === undefined) return [];
    const problem = illegalStep(before, state);
    return problem === undefined ? [] : [`I13 job ${job} (${name}) ${problem}`];
  });

const illegalStep = (before: JobState, after: JobState): string | undefined => {
  if (order.indexOf(after.phase) < order.indexOf(before.phase)) return `${before.phase} → ${after.phase}`;
  if (after.progress < before.progress) return `progress ${before.progress} → ${after.progress}`;
  for (const [nodeId, node] of Object.entries(before.nodes)) {
    const now = after.nodes[nodeId];
    if (now === undefined || now.fraction < node.fraction || now.value < node.value)
      return `node ${nodeId} ${node.value} → ${now?.value ?? 'gone'}`;
  }
  return undefined;
};

const next: Readonly<Record<ConnectionState['_tag'], readonly ConnectionState['_tag'][]>> = {
  idle: ['connecting', 'closed'],
  connecting: ['open', 'waiting', 'suspended', 'failed', 'idle', 'closed'],
  open: ['waiting', 'suspended', 'idle', 'failed', 'closed'],
  waiting: ['connecting', 'failed', 'idle', 'closed'],
  suspended: ['connecting', 'failed', 'idle', 'closed'],
  failed: ['idle', 'connecting', 'closed'],
  closed: [],
};

const follows = (before: ConnectionState, after: ConnectionState): boolean =>
  next[before._tag].includes(after._tag);
