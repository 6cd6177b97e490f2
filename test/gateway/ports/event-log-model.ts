import { expect } from 'vitest';
import fc from 'fast-check';
import type { EventLog } from '../../../src/server/joblog/event-log.js';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { statusOf } from '../../../src/core/events/state-members.js';

/** What one step of a play does to a log. */
export type LogStep =
  | {
      readonly _tag: 'append';
      readonly owner: string;
      readonly job: string;
      readonly count: number;
      readonly isEnd: boolean;
    }
  | { readonly _tag: 'expire'; readonly owner: string; readonly job: string }
  | {
      readonly _tag: 'read';
      readonly owner: string;
      readonly job: string | undefined;
      /** The nth event that was ever given, of whichever owner; undefined for the beginning. */
      readonly after: number | undefined;
      readonly limit: number;
    };

const owner = fc.constantFrom('a', 'b', 'a","x');
const job = fc.constantFrom('x', 'y', 'x","y');

/** Plays of steps. */
export const logSteps: fc.Arbitrary<readonly LogStep[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        ...{ _tag: fc.constant('append' as const), owner, job, count: fc.integer({ min: 1, max: 3 }) },
        isEnd: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant('expire' as const), owner, job }) },
    {
      weight: 6,
      arbitrary: fc.record({
        ...{ _tag: fc.constant('read' as const), owner, job: fc.option(job, { nil: undefined }) },
        after: fc.option(fc.nat({ max: 40 }), { nil: undefined }),
        limit: fc.integer({ min: 1, max: 5 }),
      }),
    },
  ),
  { maxLength: 40 },
);

interface KnownEvent {
  readonly owner: string;
  readonly job: string;
  /** Its place in the log of its owner. */
  readonly number: number;
  readonly at: number;
  /** `kept`, or gone with its job (`forgotten`) or to make room (`evicted`). */
  fate: 'kept' | 'forgotten' | 'evicted';
}

/** What the contract of a log says, by what became of every event that there ever was: no code of the tables of `src`. */
export const logModel = (maxEvents: number) => {
  const all: KnownEvent[] = [];
  /** In the order in which they began; a job that is forgotten may begin once more. */
  let jobs: { readonly owner: string; readonly job: string; hasEnded: boolean }[] = [];
  const jobOf = (owner: string, job: string) => jobs.find((one) => one.owner === owner && one.job === job);
  const kept = (): readonly KnownEvent[] => all.filter(({ fate }) => fate === 'kept');
  /** The owner with most kept events; of those with as many, the last by its name as JSON. */
  const biggest = (): string => {
    const owners = [...new Set(kept().map((one) => one.owner))];
    const eventsOf = (one: string): number => kept().filter((event) => event.owner === one).length;
    const [first = ''] = owners.toSorted(
      (one, other) =>
        eventsOf(other) - eventsOf(one) || (JSON.stringify(one) < JSON.stringify(other) ? 1 : -1),
    );
    return first;
  };
  const makeRoom = (): void => {
    while (kept().length > maxEvents) {
      const own = jobs.filter((one) => one.owner === biggest());
      const withEvents = own.filter(({ owner, job }) =>
        kept().some((event) => event.owner === owner && event.job === job),
      );
      const next = withEvents.find(({ hasEnded }) => hasEnded) ?? withEvents[0];
      for (const event of kept())
        if (event.owner === next?.owner && event.job === next.job) event.fate = 'evicted';
    }
  };
  return {
    append: (owner: string, job: string, ats: readonly number[], isEnd: boolean): void => {
      let known = jobOf(owner, job);
      if (known === undefined) jobs.push((known = { owner, job, hasEnded: false }));
      known.hasEnded ||= isEnd;
      for (const at of ats) {
        const number = all.filter((event) => event.owner === owner).length + 1;
        all.push({ owner, job, number, at, fate: 'kept' });
      }
      makeRoom();
    },
    expire: (owner: string, job: string): void => {
      for (const event of kept()) if (event.owner === owner && event.job === job) event.fate = 'forgotten';
      // What was evicted of the job is no loss of the job any more, as there is none.
      for (const event of all)
        if (event.owner === owner && event.job === job && event.fate === 'evicted') event.fate = 'forgotten';
      jobs = jobs.filter((one) => one.owner !== owner || one.job !== job);
    },
    /** The times of the events that a reader gets, or that there is a gap. */
    read: (owner: string, job: string | undefined, after: number | undefined, limit: number): unknown => {
      const ofOwner = all.filter((event) => event.owner === owner);
      if (ofOwner.length === 0) return after === undefined && job === undefined ? [] : 'gap';
      if (job !== undefined && jobOf(owner, job) === undefined) return 'gap';
      const mark = after === undefined ? undefined : all[after];
      if (after !== undefined && mark?.owner !== owner) return 'gap';
      const scope = ofOwner.filter(
        (event) => (job === undefined || event.job === job) && event.number > (mark?.number ?? 0),
      );
      const isGone = ({ fate }: KnownEvent): boolean =>
        // From the beginning, what belonged to forgotten jobs is no loss.
        fate === 'evicted' || (fate === 'forgotten' && mark !== undefined && job === undefined);
      if (scope.some(isGone)) return 'gap';
      return scope
        .filter(({ fate }) => fate === 'kept')
        .slice(0, limit)
        .map(({ at }) => at);
    },
  };
};

const event = (at: number, isEnd: boolean): LifecycleEvent =>
  isEnd
    ? { type: 'status', at, status: statusOf({ ...initialJobState({}), phase: 'completed' }) }
    : { type: 'cancelRequested', at };

/** Plays steps on a log and on the model, and gives what readers got of both. */
export const playLog = async (
  steps: readonly LogStep[],
  maxEvents: number,
  open: () => Promise<EventLog>,
  reopenEach = Infinity,
): Promise<{ readonly answers: readonly unknown[]; readonly expected: readonly unknown[] }> => {
  const model = logModel(maxEvents);
  const ids: string[] = [];
  const answers: unknown[] = [];
  const expected: unknown[] = [];
  let log = await open();
  for (const [place, step] of steps.entries()) {
    if ((place + 1) % reopenEach === 0) {
      await log.close?.();
      log = await open();
    }
    const { owner, job } = step;
    if (step._tag === 'append') {
      const ats = Array.from({ length: step.count }, (_, nth) => ids.length + nth);
      const events = ats.map((at) => event(at, step.isEnd && at === ats.at(-1)));
      ids.push(...(await log.append(owner, step.job, events)));
      model.append(owner, step.job, ats, step.isEnd);
      answers.push(await log.position(owner));
      expected.push(ids.at(-1));
    } else if (step._tag === 'expire') {
      await log.expire(owner, step.job);
      model.expire(owner, step.job);
    } else {
      const after = step.after === undefined || step.after < ids.length ? step.after : ids.length - 1;
      const mark = after === undefined ? undefined : (ids[after] ?? 'none');
      const page = await log.read({ owner, ...(job !== undefined && { jobId: job }) }, mark, step.limit);
      answers.push(page.gap ? 'gap' : page.events.map((one) => one.event.at));
      if (page.gap) expect(page.events).toEqual([]);
      expected.push(model.read(owner, job, after, step.limit));
    }
  }
  await log.close?.();
  return { answers, expected };
};
