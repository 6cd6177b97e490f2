import type { LedgerLine } from './process-plans.js';
import type { QueueJob } from '../../../src/queue.js';
import { readFile } from 'node:fs/promises';

/** One life of an engine: from its start to its kill, or to the end of the play. */
export interface EngineLife {
  readonly engine: string;
  readonly slots: number;
  readonly ledger: string;
  /** When it was killed, by the wall clock; absent where it was not. */
  readonly killedAt?: number;
}

/** What the ledgers of all engines say of a queue. */
export interface JudgedProcesses {
  readonly reruns: number;
  readonly problems: readonly string[];
}

/** Compares a queue that has settled with the engines' own ledgers. */
export const judgeProcesses = async (
  lives: readonly EngineLife[],
  added: ReadonlyMap<string, string>,
  jobs: readonly QueueJob[],
): Promise<JudgedProcesses> => {
  const problems: string[] = [];
  const runs = (await Promise.all(lives.map(runsOf))).flat();
  const byId = new Map(jobs.map((job) => [job.id, job]));
  for (const [mark, id] of added) {
    const phase = byId.get(id)?.phase ?? 'lost';
    const own = runs.filter((run) => run.mark === mark).toSorted((one, other) => one.from - other.from);
    if (phase !== 'completed') problems.push(`${mark} is ${phase}: ${byId.get(id)?.reason ?? ''}`);
    if (phase === 'completed' && own.length === 0) problems.push(`${mark} ended without a run`);
    for (const [index, { life }] of own.slice(1).entries()) {
      const before = own[index]!;
      // A job that its engine has forgotten runs again; no other one does.
      const isLost = before.to === undefined && before.life.killedAt !== undefined;
      const wasKilled = (before.life.killedAt ?? Infinity) <= own[index + 1]!.from;
      if (!isLost && !wasKilled) problems.push(`${mark} ran on ${before.life.engine} and on ${life.engine}`);
    }
  }
  for (const life of lives) {
    const most = maxAtOnce(runs.filter((run) => run.life === life));
    if (most > life.slots) problems.push(`${life.engine} had ${most} jobs at once, with ${life.slots} slots`);
  }
  return { reruns: runs.length - added.size, problems };
};

interface EngineRun {
  readonly life: EngineLife;
  readonly mark: string;
  readonly from: number;
  readonly to: number | undefined;
}

const runsOf = async (life: EngineLife): Promise<readonly EngineRun[]> => {
  const text = await readFile(life.ledger, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.endsWith('}'));
  const all = lines.map((line) => JSON.parse(line) as LedgerLine);
  const ends = new Map(all.flatMap((line) => ('endedAt' in line ? [[line.promptId, line.endedAt]] : [])));
  return all.flatMap((line) =>
    'mark' in line ? [{ life, mark: line.mark, from: line.createdAt, to: ends.get(line.promptId) }] : [],
  );
};

/** How many of the runs there were at one moment; one that ends makes room for one that begins. */
const maxAtOnce = (runs: readonly EngineRun[]): number => {
  const changes = runs
    .flatMap(({ from, to = Infinity }) => [[from, 1] as const, [to, -1] as const])
    .toSorted(([one, by], [other, otherBy]) => one - other || by - otherBy);
  const state = { now: 0, most: 0 };
  for (const [, by] of changes) {
    state.now += by;
    state.most = Math.max(state.most, state.now);
  }
  return state.most;
};
