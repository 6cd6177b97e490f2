import { type Intent, type SubmissionRecord } from '../../../src/server/queue/policy/intent.js';
import { defaultRules, type SubmissionRules } from '../../../src/server/queue/policy/rules.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import type { SubmissionIds } from 'promptwire';
import { settle, type Settled } from '../../../src/server/queue/worker/settle.js';
import type {
  SubmissionAnswer,
  SubmissionService,
  SubmissionStore,
} from '../../../src/server/queue/policy/submission-ports.js';

/** What happens to one worker: at its Nth call of store or service, before the call leaves or after it took effect. */
export interface Mishap {
  readonly call: number;
  readonly when: 'before' | 'after';
  /** It dies, is suspended for that long, or only the answer is lost. */
  readonly what: 'death' | 'answer lost' | { readonly suspendedMs: number };
}

/** Whether the service refuses a submission for the moment, and whether it looks at the key before. */
export type Treatment = 'none' | 'refusal before the key' | 'refusal after the key';

/** One play of the simulator. */
export interface Plot {
  readonly submissionIds: SubmissionIds;
  readonly resubmit: SubmissionRules['resubmit'];
  /** Whether the lists of the service return the marker of the queue. */
  readonly returnsMarkers: boolean;
  /** How far the lists trail, in milliseconds. */
  readonly lagMs: number;
  /** How long a request takes each way, in milliseconds. */
  readonly requestMs: number;
  /** How the service treats the first submissions: one member for each. */
  readonly treatments: readonly Treatment[];
  /** Another program submits an equal workflow at this moment. */
  readonly foreignAtMs: number | undefined;
  /** The first worker, the second one, and so on; later ones meet with nothing. */
  readonly mishaps: readonly Mishap[];
}

/** What the simulator saw. */
export interface Play {
  /** The runs that were paid for: their ids. */
  readonly runs: readonly string[];
  readonly record: SubmissionRecord;
  /** How the workers' holds on the job came out, without those who died. */
  readonly ends: readonly Settled[];
  /** When it was settled, in milliseconds. */
  readonly settledAtMs: number;
}

const lockMs = 10_000;

/** A clock of virtual time: `run` leads it on from timer to timer until none is left. */
const virtualClock = () => {
  let now = 0;
  const timers: { readonly at: number; readonly work: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        timers.push({ at: now + ms, work: resolve });
      }),
    run: async (): Promise<void> => {
      for (let steps = 0; steps < 5_000; steps += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        const next = timers.toSorted((one, other) => one.at - other.at)[0];
        if (next === undefined) return;
        timers.splice(timers.indexOf(next), 1);
        now = Math.max(now, next.at);
        next.work();
      }
      throw new Error(`The job is not settled after ${now} ms.`);
    },
  };
};

/** Plays one job from its first worker to its end, with a store and a service in memory. */
export const play = async (plot: Plot): Promise<Play> => {
  const { submissionIds, requestMs } = plot;
  const clock = virtualClock();
  const rules: SubmissionRules = { ...defaultRules, resubmit: plot.resubmit };
  let record: SubmissionRecord = {};
  let fence = 0;
  const runs: { readonly id: string; readonly submissionId: string; readonly at: number }[] = [];
  const usedKeys = new Set<string>();
  const treatments = [...plot.treatments];
  const ends: Settled[] = [];
  let isOver = false;
  let settledAtMs = 0;
  let ids = 0;
  const newId = (): string => `id-${(ids += 1)}`;

  const noAnswer = (): SubmissionAnswer => ({
    _tag: 'error',
    error: serviceError('OutcomeUnknown', { candidates: [], startedAt: clock.now() }),
  });
  const refusal = (): SubmissionAnswer => ({ _tag: 'error', error: serviceError('RateLimited', {}) });
  const arrive = (submissionId: string): SubmissionAnswer => {
    const treatment = treatments.shift();
    if (treatment === 'refusal before the key') return refusal();
    if (submissionIds === 'keys' && usedKeys.has(submissionId)) {
      const unknown = { candidates: [], startedAt: clock.now(), keyUsed: true } as const;
      return { _tag: 'error', error: serviceError('OutcomeUnknown', unknown) };
    }
    if (treatment === 'refusal after the key') return refusal();
    usedKeys.add(submissionId);
    const id = submissionIds === 'jobs' ? submissionId : newId();
    runs.push({ id, submissionId, at: clock.now() });
    return { _tag: 'accepted', promptId: id };
  };
  const listed = (intent: Intent) => {
    const seen = runs.filter(({ at }) => at + plot.lagMs <= clock.now());
    const foreign = plot.foreignAtMs !== undefined && plot.foreignAtMs <= clock.now() ? ['foreign'] : [];
    const isById = submissionIds === 'jobs';
    const own = seen.filter(({ submissionId }) => submissionId === intent.submissionId).map(({ id }) => id);
    return {
      marked: isById || plot.returnsMarkers ? own : [],
      alike: isById ? [] : [...seen.map(({ id }) => id), ...foreign],
    };
  };

  const worker = async (number: number): Promise<void> => {
    const own = (fence += 1);
    const mishap = plot.mishaps[number];
    let calls = 0;
    let lockedUntil = Infinity;
    /** Another worker takes the job once the lock of this one is over. */
    const lose = async (): Promise<void> => {
      lockedUntil = clock.now() + lockMs;
      await clock.sleep(lockMs);
      if (lockedUntil <= clock.now() && fence === own && !isOver) await worker(number + 1);
    };
    const befall = async (what: Mishap['what']): Promise<void> => {
      if (what === 'answer lost') return;
      void lose();
      if (what === 'death') {
        await new Promise(() => undefined);
      } else {
        await clock.sleep(what.suspendedMs);
        if (fence === own) lockedUntil = Infinity;
      }
    };
    const call = async <A>(effect: () => A, lost?: () => A): Promise<A> => {
      calls += 1;
      const due = mishap?.call === calls ? mishap : undefined;
      const isLost = due?.what === 'answer lost' && lost !== undefined;
      // Nothing suspends a process between the check of its clock and the submission, which leaves in the same turn.
      const isPost = lost === noAnswer;
      const isBefore = due?.when === 'before' && !(isPost && typeof due.what === 'object');
      if (isBefore) {
        await befall(due.what);
        if (isLost) return lost();
      }
      await clock.sleep(requestMs);
      const answer = effect();
      if (due !== undefined && !isBefore) await befall(due.what);
      await clock.sleep(requestMs);
      return isLost ? lost() : answer;
    };

    const store: SubmissionStore = {
      now: clock.now,
      intend: (job, intent) =>
        call(() => {
          if (job.fence !== fence || record.hasEnded === true) return undefined;
          const at = clock.now();
          const isSame = record.intent?.submissionId === intent.submissionId;
          const stored = { ...intent, at, since: isSame ? (record.intent?.since ?? at) : at };
          record = { ...record, intent: stored };
          return stored;
        }),
      answered: (_, submissionId, promptId) =>
        call(() => {
          if (record.intent?.submissionId !== submissionId) return undefined;
          record = { ...record, promptId: record.promptId ?? promptId };
          return record.promptId;
        }),
      refused: (_, { submissionId, attempt }) =>
        call(() => {
          const isSame = record.intent?.submissionId === submissionId && record.intent.attempt === attempt;
          if (isSame && record.promptId === undefined) record = {};
        }),
    };
    const service: SubmissionService = {
      submissionIds,
      submit: (submissionId) => call(() => arrive(submissionId), noAnswer),
      observe: (intent) =>
        call<ReturnType<typeof listed> | undefined>(
          () => listed(intent),
          () => undefined,
        ),
    };
    const job = { id: 'job', fence: own, record };
    const end = await settle(job, {
      worker: `worker ${number}`,
      store,
      service,
      rules,
      uuid: newId,
      elapsed: clock.now,
      pause: clock.sleep,
    });
    ends.push(end);
    if (end._tag === 'refused') await clock.sleep(1_000);
    // The store lets the holder alone end the job or have it wait again.
    if (end._tag === 'lost' || fence !== own) return;
    if (end._tag === 'refused') {
      await worker(number + 1);
      return;
    }
    if (end._tag === 'unknown' && record.promptId === undefined) record = { ...record, hasEnded: true };
    isOver = true;
    settledAtMs = clock.now();
  };
  void worker(0);
  await clock.run();
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- a worker sets it.
  if (!isOver) throw new Error('Nothing is left to happen, and the job is not settled.');
  return { runs: runs.map(({ id }) => id), record, ends, settledAtMs };
};
