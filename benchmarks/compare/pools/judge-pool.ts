import type { LedgerJob } from '../../../src/emulator.js';
import { wordOf } from './pool-job.js';

/** What a pool's process said of its jobs until the bound. */
export interface PoolWords {
  readonly completed: ReadonlySet<number>;
  readonly failed: ReadonlySet<number>;
  /** Whether its process ended by itself. */
  readonly hasCrashed: boolean;
}

/** What became of the jobs, by the engines' ledgers and by what the pool said. */
export interface PoolOutcome {
  /** Jobs that an engine completed and the pool said so. */
  readonly done: number;
  /** Jobs that the pool gave up with an error. */
  readonly failed: number;
  /** Jobs that an engine completed, of which the pool said nothing. */
  readonly unheard: number;
  /** Jobs that no engine completed, without an error. */
  readonly lost: number;
  /** Jobs of which the pool said that they completed, and no engine did. */
  readonly invented: number;
  /** Jobs that engines completed more than once. */
  readonly twice: number;
  /** Jobs that engines completed in one second, where they completed all: from the first submission to the last end. */
  readonly perSecond: number | undefined;
}

/** Judges one run of `count` jobs by the ledgers of its engines. */
export const judgePool = (
  count: number,
  ledger: readonly LedgerJob[],
  { completed, failed }: PoolWords,
): PoolOutcome => {
  const ended = ledger.filter(({ state }) => state === 'completed');
  const texts = ended.map(({ outputs }) => JSON.stringify(outputs));
  const all = Array.from({ length: count }, (_, job) => job);
  const runs = all.map((job) => texts.filter((text) => text.includes(`"${wordOf(job)}"`)).length);
  const ran = new Set(all.filter((job) => runs[job] !== 0));
  const silent = all.filter((job) => !completed.has(job) && !failed.has(job));
  const first = Math.min(...ledger.map(({ createdAt }) => createdAt));
  const last = Math.max(...ended.map(({ endedAt = first }) => endedAt));
  return {
    done: all.filter((job) => completed.has(job) && ran.has(job)).length,
    failed: failed.size,
    unheard: silent.filter((job) => ran.has(job)).length,
    lost: silent.filter((job) => !ran.has(job)).length,
    invented: all.filter((job) => completed.has(job) && !ran.has(job)).length,
    twice: runs.filter((times) => times > 1).length,
    perSecond: ran.size === count ? (count / (last - first)) * 1000 : undefined,
  };
};

/** An outcome in words: what isn't zero. */
export const outcomeWord = (
  { done, failed, unheard, lost, invented, twice }: PoolOutcome,
  hasCrashed: boolean,
): string =>
  [
    `${done} done`,
    failed > 0 && `${failed} failed with an error`,
    unheard > 0 && `${unheard} done without a word`,
    lost > 0 && `**${lost} lost**`,
    invented > 0 && `${invented} said done that no engine did`,
    twice > 0 && `${twice} run twice`,
    hasCrashed && 'process crashes',
  ]
    .filter((part) => part !== false)
    .join(', ');
