import type { FaultKind } from '../simulation/faults/index.js';
import { judge } from '../simulation/invariants/index.js';
import { type MakeClient, play, realClient } from '../simulation/play.js';
import type { Schedule } from '../simulation/schedule.js';
import { shrink } from '../simulation/shrink.js';
import type { Range, Tally } from './figure.js';
import { replayLine } from './replay-line.js';
import { watchProcess } from './process-health.js';

/** What a figure of schedules is made of. */
export interface SchedulesOptions {
  readonly id: string;
  readonly draw: (seed: number) => Schedule;
  /** Draw the schedules of other dialects that are played besides. */
  readonly others?: readonly ((seed: number) => Schedule | undefined)[];
  readonly makeClient?: MakeClient;
  /** Schedules that are played besides the drawn ones, first. */
  readonly regressions?: readonly Schedule[];
  /** How many of those that fail are shrunk; default 3. */
  readonly shrinks?: number;
}

/** How a kind of fault is named among the cells: those of another dialect than the cloud's stand apart. */
export const cellKind = (kind: FaultKind, dialect: Schedule['dialect']): string => {
  if (dialect === 'local') return `local server, ${kind}`;
  return dialect === 'v2' ? `API v2, ${kind}` : kind;
};

/** Plays a range of schedules, counts what became of the jobs, and shrinks the first ones that fail. */
export const playSchedules = async (
  { id, draw, others = [], makeClient = realClient, regressions = [], shrinks = 3 }: SchedulesOptions,
  { from, count }: Range,
): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts = {
    schedules: 0,
    'local schedules': 0,
    'v2 schedules': 0,
    jobs: 0,
    'local jobs': 0,
    'v2 jobs': 0,
    faults: 0,
    'virtual hours': 0,
    violations: 0,
    'local violations': 0,
    'v2 violations': 0,
    lost: 0,
    wrong: 0,
    doubled: 0,
  };
  const cells: Record<string, number> = {};
  const problems: string[] = [];

  const one = async (schedule: Schedule): Promise<void> => {
    const played = await play(schedule, makeClient);
    const { violations, outcomes } = judge(played);
    counts.schedules += 1;
    counts.jobs += outcomes.jobs;
    const { dialect = 'cloud' } = schedule;
    if (dialect !== 'cloud') {
      counts[`${dialect} schedules`] += 1;
      counts[`${dialect} jobs`] += outcomes.jobs;
      counts[`${dialect} violations`] += violations.length;
    }
    counts.faults += played.backend.ledger.hits.size;
    counts['virtual hours'] += played.endedAt / 3_600_000;
    counts.violations += violations.length;
    counts.lost += outcomes.lost.length;
    counts.wrong += outcomes.wrong.length;
    counts.doubled += outcomes.doubled.length;
    const struck = schedule.faults
      .filter(({ index }) => played.backend.ledger.hits.has(index))
      .map(({ kind, moment }) => ({
        moment,
        kind: cellKind(kind, schedule.dialect),
      }));
    for (const { kind, moment } of struck)
      cells[`${kind} @ ${moment}`] = (cells[`${kind} @ ${moment}`] ?? 0) + 1;
    for (const a of struck)
      for (const b of struck)
        if (a.kind < b.kind) cells[`${a.kind} + ${b.kind}`] = (cells[`${a.kind} + ${b.kind}`] ?? 0) + 1;
    if (violations.length === 0) return;
    const shrunk = problems.length < shrinks ? await shrink(schedule, makeClient) : schedule;
    problems.push(`${violations[0]!}; ${replayLine(id, shrunk)}`);
  };

  for (const schedule of regressions) await one(schedule);
  for (let seed = from; seed < from + count; seed += 1) {
    await one(draw(seed));
    for (const drawOther of others) {
      const schedule = drawOther(seed);
      if (schedule !== undefined) await one(schedule);
    }
  }
  const seen = await seenByProcess();
  return {
    counts: { ...counts, violations: counts.violations + seen.length },
    cells,
    problems: [...problems, ...seen],
  };
};
