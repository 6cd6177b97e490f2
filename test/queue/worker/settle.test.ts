import { describe, expect, it } from 'vitest';
import { defaultRules, type SubmissionRules } from '../../../src/server/queue/policy/rules.js';
import type { Intent } from '../../../src/server/queue/policy/intent.js';
import type { Observation } from '../../../src/core/lost/decide-match.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { settle } from '../../../src/server/queue/worker/settle.js';
import type { SubmissionAnswer } from '../../../src/server/queue/policy/submission-ports.js';
import type { SubmissionIds } from 'promptwire';
import type { SubmissionRecord } from '../../../src/server/queue/policy/intent.js';

type Seen = Omit<Observation, 'at'> | undefined;

/** What store and service say, in turn; each list's last member holds from then on. */
interface Script {
  readonly submissionIds?: SubmissionIds;
  readonly record?: SubmissionRecord;
  readonly rules?: Partial<SubmissionRules>;
  readonly answers?: readonly SubmissionAnswer[];
  readonly seen?: readonly Seen[];
  /** What the store keeps as the service's id; by default what it is given. */
  readonly kept?: readonly (string | undefined)[];
  /** How long the store takes to keep an intent, in milliseconds. */
  readonly intendMs?: readonly number[];
  readonly isLost?: boolean;
}

const accepted = (promptId: string): SubmissionAnswer => ({ _tag: 'accepted', promptId });
const refused = (error: ReturnType<typeof serviceError>): SubmissionAnswer => ({ _tag: 'error', error });
const noAnswer = refused(serviceError('OutcomeUnknown', { candidates: [], startedAt: 0 }));
const keyUsed = refused(serviceError('OutcomeUnknown', { candidates: [], startedAt: 0, keyUsed: true }));
const busy = refused(serviceError('RateLimited', {}));
const invalid = refused(serviceError('BadRequest', { nodeErrors: {} }));
const nothing: Seen = { marked: [], alike: [] };

/** Plays a script in virtual time, and gives the end with every call that was made. */
const played = async ({
  submissionIds = 'none',
  record = {},
  rules = {},
  answers = [],
  seen = [],
  kept = [],
  intendMs = [],
  isLost = false,
}: Script) => {
  const calls: string[] = [];
  let now = 1_000;
  let ids = 0;
  const turns = { answers: 0, seen: 0, kept: 0, intendMs: 0 };
  const next = <A>(name: keyof typeof turns, list: readonly A[]): A | undefined =>
    list[Math.min(list.length - 1, turns[name]++)];
  const all = { ...defaultRules, deadlineMs: 1_000, lagMs: 0, lookEveryMs: 100, ...rules };
  const end = await settle(
    { id: 'x', fence: 7, record },
    {
      worker: 'w',
      rules: all,
      uuid: () => `id ${(ids += 1)}`,
      elapsed: () => now,
      pause: (ms) => {
        now += ms;
        calls.push(`pause ${ms}`);
        return Promise.resolve();
      },
      store: {
        now: () => now,
        intend: (job, { attempt, worker, submissionIds: kind, submissionId }) => {
          calls.push(`intend ${submissionId} by ${worker}, attempt ${attempt}, fence ${job.fence}, ${kind}`);
          now += next('intendMs', intendMs) ?? 0;
          const known = record.intent?.submissionId === submissionId ? record.intent.since : now;
          const intent: Intent = {
            attempt,
            worker,
            at: now,
            since: known,
            submissionIds: kind,
            submissionId,
          };
          return Promise.resolve(isLost ? undefined : intent);
        },
        answered: (id, submissionId, promptId) => {
          calls.push(`answered ${id}, ${submissionId}: ${promptId}`);
          return Promise.resolve(kept.length === 0 ? promptId : next('kept', kept));
        },
        refused: (id, { submissionId, attempt }) => {
          calls.push(`refused ${id}, ${submissionId}, attempt ${attempt}`);
          return Promise.resolve();
        },
      },
      service: {
        submissionIds,
        submit: (submissionId, withinMs) => {
          calls.push(`submit ${submissionId} within ${withinMs}`);
          return Promise.resolve(next('answers', answers) ?? noAnswer);
        },
        observe: ({ submissionId }) => {
          calls.push(`look for ${submissionId}`);
          return Promise.resolve(next('seen', seen));
        },
      },
    },
  );
  return { end, calls };
};

/** An intent of an earlier worker. */
const earlier = (submissionIds: SubmissionIds): Intent => ({
  ...{ attempt: 1, worker: 'dead', at: 0, since: 0, submissionIds, submissionId: 'first' },
});

describe('a first submission', () => {
  it('leaves after its intent is kept, within what is left of the deadline, and keeps the answer', async () => {
    const { end, calls } = await played({ answers: [accepted('p')], intendMs: [500] });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls).toEqual([
      'intend id 1 by w, attempt 1, fence 7, none',
      'submit id 1 within 500',
      'answered x, id 1: p',
    ]);
  });

  it('does not leave where another worker has the job', async () => {
    const { end, calls } = await played({ isLost: true });
    expect(end).toEqual({ _tag: 'lost' });
    expect(calls).toHaveLength(1);
  });

  it('does not leave where the worker was suspended meanwhile: its intent goes, and it begins anew', async () => {
    const { end, calls } = await played({ answers: [accepted('p')], intendMs: [501, 0] });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls.slice(0, 4)).toEqual([
      'intend id 1 by w, attempt 1, fence 7, none',
      'refused x, id 1, attempt 1',
      'intend id 2 by w, attempt 1, fence 7, none',
      'submit id 2 within 1000',
    ]);
  });

  it('is lost where the answer belongs to another job', async () => {
    const { end } = await played({ answers: [accepted('p')], kept: [undefined] });
    expect(end).toEqual({ _tag: 'lost' });
  });

  it('has the id that the record has, where an answer came before', async () => {
    const { end } = await played({ answers: [accepted('p')], kept: ['q'] });
    expect(end).toEqual({ _tag: 'attached', promptId: 'q' });
  });

  it.each(['none', 'keys', 'jobs'] as const)(
    'takes a refusal for the word of a service with %s, and removes its intent',
    async (submissionIds) => {
      const now = await played({ submissionIds, answers: [busy] });
      expect(now.end).toMatchObject({ _tag: 'refused', by: 'later', error: { _tag: 'RateLimited' } });
      expect(now.calls.at(-1)).toBe('refused x, id 1, attempt 1');
      const never = await played({ submissionIds, answers: [invalid] });
      expect(never.end).toMatchObject({ _tag: 'refused', by: 'job', error: { _tag: 'BadRequest' } });
      expect(never.calls.at(-1)).toBe('refused x, id 1, attempt 1');
    },
  );

  it('is looked for where no answer came, after a pause', async () => {
    const { end, calls } = await played({ answers: [noAnswer], seen: [{ marked: ['p'], alike: [] }] });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls.slice(2)).toEqual(['pause 100', 'pause 0', 'look for id 1', 'answered x, id 1: p']);
  });
});

describe('a submission of an earlier worker', () => {
  it('is attached to without a word to the store where its id is known', async () => {
    const record = { intent: earlier('none'), promptId: 'p' };
    expect(await played({ record })).toEqual({ end: { _tag: 'attached', promptId: 'p' }, calls: [] });
  });

  it('leaves alone a job that is over', async () => {
    const record = { intent: earlier('none'), hasEnded: true };
    expect(await played({ record })).toEqual({ end: { _tag: 'finished' }, calls: [] });
  });

  it('is looked for on, where the job that it seemed to be was claimed by another job meanwhile', async () => {
    const { end, calls } = await played({
      record: { intent: earlier('none') },
      rules: { deadlineMs: 5_000 },
      seen: [
        { marked: ['p'], alike: [] },
        { marked: [], alike: [] },
        { marked: [], alike: ['q'] },
      ],
      kept: [undefined, 'q'],
    });
    expect(end).toEqual({ _tag: 'attached', promptId: 'q' });
    expect(calls.filter((call) => call.startsWith('answered'))).toEqual([
      'answered x, first: p',
      'answered x, first: q',
    ]);
  });

  it('has the id that the record has, where its answer came while it was looked for', async () => {
    const { end } = await played({
      record: { intent: earlier('none') },
      seen: [{ marked: ['p'], alike: [] }],
      kept: ['answered'],
    });
    expect(end).toEqual({ _tag: 'attached', promptId: 'answered' });
  });

  it('is given up where the job that it seemed to be was claimed, and no other is shown', async () => {
    const { end } = await played({
      record: { intent: earlier('none') },
      seen: [{ marked: ['p'], alike: [] }, nothing],
      kept: [undefined],
    });
    expect(end).toMatchObject({ _tag: 'unknown', candidates: [] });
  });

  it('is looked for again where a look got no answer', async () => {
    const { end, calls } = await played({
      record: { intent: earlier('none') },
      seen: [undefined, { marked: ['p'], alike: [] }],
    });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls.slice(0, 4)).toEqual(['pause 0', 'look for first', 'pause 100', 'pause 0']);
  });
});

describe('a repetition under the same key', () => {
  const record = { intent: earlier('keys') };

  it('is told of as the next attempt, with the key and the moment of the first one', async () => {
    const { end, calls } = await played({ submissionIds: 'keys', record, answers: [accepted('p')] });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls[0]).toBe('intend first by w, attempt 2, fence 7, keys');
    expect(calls[1]).toBe('submit first within 1000');
  });

  it('keeps the intent where it comes too late to be sent, since the first submission may have arrived', async () => {
    const { calls } = await played({
      ...{ submissionIds: 'keys', record, answers: [accepted('p')] },
      intendMs: [501, 0],
    });
    expect(calls).toEqual([
      'intend first by w, attempt 2, fence 7, keys',
      'intend first by w, attempt 2, fence 7, keys',
      'submit first within 1000',
      'answered x, first: p',
    ]);
  });

  it('keeps the intent where it is refused for the moment, which says nothing about the first one', async () => {
    const { end, calls } = await played({ submissionIds: 'keys', record, answers: [busy] });
    expect(end).toMatchObject({ _tag: 'refused', by: 'later' });
    expect(calls.filter((call) => call.startsWith('refused'))).toEqual([]);
  });

  it.each([
    ['has used the key', keyUsed],
    ['refuses the workflow, which it took before', invalid],
  ])('looks for the job where the service %s', async (_, answer) => {
    const { end, calls } = await played({
      ...{ submissionIds: 'keys', record, answers: [answer] },
      seen: [nothing, { marked: [], alike: ['p'] }],
    });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls.filter((call) => call.startsWith('submit'))).toHaveLength(1);
    expect(calls.filter((call) => call.startsWith('refused'))).toEqual([]);
  });

  it('does not repeat it once more where the key is used and the look got no answer', async () => {
    const { end, calls } = await played({
      ...{ submissionIds: 'keys', record, answers: [keyUsed] },
      seen: [undefined, { marked: [], alike: ['p'] }],
    });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls.filter((call) => call.startsWith('submit'))).toHaveLength(1);
  });

  it('is repeated again after a pause where no answer came', async () => {
    const { end, calls } = await played({
      ...{ submissionIds: 'keys', record, answers: [noAnswer, accepted('p')] },
    });
    expect(end).toEqual({ _tag: 'attached', promptId: 'p' });
    expect(calls.slice(1, 4)).toEqual([
      'submit first within 1000',
      'pause 100',
      'intend first by w, attempt 3, fence 7, keys',
    ]);
  });
});

it('takes a refusal of a repetition for its word where the id is the job’s own', async () => {
  const { end, calls } = await played({
    ...{ submissionIds: 'jobs', record: { intent: earlier('jobs') } },
    ...{ answers: [invalid], seen: [nothing] },
  });
  expect(end).toMatchObject({ _tag: 'refused', by: 'job' });
  expect(calls.at(-1)).toBe('refused x, first, attempt 2');
});
