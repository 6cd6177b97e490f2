import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../../src/core/socket/connection-state.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { unknownFailure } from '../../src/core/state/failure.js';
import { wrongPhase } from './invariants/last-state.js';
import { outcomesOf } from './invariants/outcomes.js';
import { firstAttempts, brokenLimits } from './invariants/limits.js';
import { lateSettlements } from './invariants/settling.js';
import { oddStates } from './invariants/states.js';
import { isUnknowable } from './invariants/unknowable.js';
import { emptyLedger, type Ledger, type LoggedRequest, type RouteName, type Untruth } from './ledger.js';
import { plainJob } from './plain-job.js';
import type { Played } from './play.js';
import type { JobPlan } from './schedule.js';
import type { SimJob } from './sim-jobs.js';
import type { Watcher } from './watcher.js';

const s = 1_000;

interface Case {
  readonly plan?: Partial<JobPlan>;
  readonly job?: Partial<SimJob>;
  readonly others?: readonly Partial<SimJob>[];
  readonly ledger?: Partial<Ledger>;
  readonly untruths?: readonly Partial<Untruth>[];
  readonly connection?: Played['connection'];
  readonly watchers: readonly { readonly name?: string; readonly since?: number; readonly at: number }[];
  readonly states?: readonly Partial<JobState>[];
  readonly error?: unknown;
}

/** A simulation that was played: one job whose watchers all saw these states, or this error, and no more. */
const played = ({ plan, job, others = [], ledger, untruths = [], connection = [], ...seen }: Case) => {
  const whole: JobPlan = { ...plainJob(0), ...plan };
  const made = (index: number, more: Partial<SimJob>): SimJob =>
    ({
      promptId: `p${index}`,
      plan: { ...whole, index },
      acceptedAt: 0,
      phase: 'completed',
      outputs: {},
      hasDetail: false,
      hiddenUntil: 0,
      hiddenSince: 0,
      ...more,
    }) as SimJob;
  const own = made(0, job ?? {});
  const jobs = [own, ...others.map((other, index) => made(index + 1, other))];
  const states = (seen.states ?? []).map((state) => ({
    ...initialJobState({ promptId: 'p0', phase: 'pending' }),
    ...state,
  }));
  const watchers = seen.watchers.map(({ name = 'run', since = 0, at }): Watcher => ({
    job: 0,
    name,
    since,
    states,
    texts: states.map((state) => JSON.stringify(state)),
    times: states.map(() => at),
    end: () => (seen.error === undefined ? states.at(-1) : undefined),
    completed: () => seen.error === undefined,
    error: () => seen.error,
    hasError: () => seen.error !== undefined,
    settledAt: () => at,
    leftAt: () => undefined,
    leave: () => undefined,
  }));
  const all = untruths.map((one): Untruth => ({
    from: 0,
    until: Infinity,
    of: 'all',
    isFault: false,
    ...one,
  }));
  const result = {
    schedule: { seed: 1, platform: 'node', jobs: [whole], faults: [] },
    backend: {
      ledger: { ...emptyLedger(), ...ledger, untruths: all },
      jobs: { byId: new Map(jobs.map((one) => [one.promptId, one])) },
      jobsOfPlan: () => [own],
      clock: { now: () => Infinity },
    },
    observed: { watchers, refusals: new Map(), aborted: new Set() },
    connection,
    endedAt: 10_000 * s,
  } as unknown as Played;
  return { result, own, watcher: watchers[0]!, phase: () => wrongPhase(result, own, watchers[0]!) };
};

describe('the phase of a last state', () => {
  const bare = { plan: { withoutMessages: true }, job: { phase: 'cancelled', endedAt: 10 * s } } as const;
  const failed = { states: [{ phase: 'failed', failure: unknownFailure() }] } as const;
  const noStatus = { of: 'status' } as const;
  const watchers = [{ at: 20 * s }];

  it('may be failed of a cancelled job where nothing but a record `error` without messages says how it ended', () => {
    expect(played({ ...bare, ...failed, watchers, untruths: [noStatus] }).phase()).toBeUndefined();
  });

  it.each([
    ['the status says it', { untruths: [] }],
    ['the jobs API says it', { job: { ...bare.job, hasDetail: true }, untruths: [noStatus] }],
    ['the record has messages', { plan: { withoutMessages: false }, untruths: [noStatus] }],
    [
      'the socket said it',
      {
        untruths: [noStatus],
        ledger: { delivered: new Map([['p0', [{ at: 11 * s, type: 'execution_interrupted', data: {} }]]]) },
      },
    ],
  ])('may not where %s', (_, more) => {
    expect(played({ ...bare, ...failed, watchers, ...more }).phase()).toBe(
      'ended as failed, but it was cancelled',
    );
  });

  const hidden = { promptId: 'p0', until: 600 * s };
  const untraceable = { states: [{ phase: 'untraceable' }] } as const;
  it.each([
    [undefined, 'ends', 601, 150],
    ['ended as untraceable, but it was completed', 'ends', 601, 100],
    ['ended as untraceable, but it was completed', 'ended', 140, 150],
  ])('is %s where a job that %s at %d s has been hidden for %d s', (problem, _, endsAt, settledAt) => {
    const { phase } = played({
      ...untraceable,
      job: { endedAt: endsAt * s },
      watchers: [{ at: settledAt * s }],
      untruths: [{ ...hidden, until: Math.max(endsAt - 1, settledAt) * s }],
    });
    expect(phase()).toBe(problem);
  });

  const wrong = 'ended as untraceable, but it was cancelled';
  const drop: Played['connection'] = [
    { at: 0, state: { _tag: 'open', clientId: 'a' } },
    { at: 120 * s, state: { _tag: 'waiting', attempt: 1, delayMs: 0, reason: '' } },
    { at: 121 * s, state: { _tag: 'open', clientId: 'b' } },
  ] satisfies readonly { at: number; state: ConnectionState }[];
  it.each([
    ['the socket was lost', undefined, drop, []],
    ['the socket was open all the time', wrong, drop.slice(0, 1), []],
    ['the server kept a job from before', wrong, drop, [{ acceptedAt: 50 * s }]],
    ['the server kept a job from later', undefined, drop, [{ acceptedAt: 90 * s }]],
    ['the server kept no job', undefined, drop, [{ acceptedAt: 50 * s, leavesNoTrace: true }]],
  ] as const)('of a job that was deleted, where %s: %s', (_, problem, connection, others) => {
    const { phase } = played({
      ...untraceable,
      job: { phase: 'cancelled', endedAt: 100 * s, leavesNoTrace: true },
      others,
      connection,
      watchers: [{ at: 150 * s }],
    });
    expect(phase()).toBe(problem);
  });

  const cancel: LoggedRequest = {
    at: 99 * s,
    route: 'cancel',
    url: '',
    key: undefined,
    promptId: 'p0',
    fate: 'fine',
    status: 200,
    settledAt: 99.5 * s,
  };
  it.each([
    [undefined, [cancel], []],
    ['ended as cancelled, but it was in_progress', [], []],
    ['ended as cancelled, but it was in_progress', [{ ...cancel, settledAt: 101 * s }], []],
    ['ended as cancelled, but it was in_progress', [cancel], [{ phase: 'in_progress' }]],
  ] as const)(
    'of a job that was lost by a restart after its cancellation: %s (%#)',
    (problem, requests, states) => {
      const { phase } = played({
        states: [...states, { phase: 'cancelled' }],
        job: { phase: 'in_progress', endedAt: 100 * s, hiddenSince: 100 * s, hiddenUntil: Infinity },
        ledger: { requests: [...requests] },
        untruths: [{ promptId: 'p0', from: 100 * s }],
        watchers: [{ at: 150 * s }],
      });
      expect(phase()).toBe(problem);
    },
  );
});

describe('the error of a stream', () => {
  it.each([
    [[], 310],
    [['I2 job 0 (late) called the protocol changed', 'I2 job 0 (states) called the protocol changed'], 290],
  ])(
    'ProtocolChanged is judged by what its handle has met, however late a watcher came: %j',
    (problems, at) => {
      const { result } = played({
        error: serviceError('ProtocolChanged', { promptId: 'p0' }),
        states: [{}],
        job: { endedAt: 5 * s },
        untruths: [{ of: 'status' }],
        watchers: [
          { name: 'states', at: at * s },
          { name: 'late', since: 250 * s, at: at * s },
        ],
      });
      expect([...outcomesOf(result).wrong].sort()).toEqual(problems);
    },
  );
});

describe('the first state of a follow', () => {
  const of = (phase: 'pending' | 'in_progress', untruths: readonly Partial<Untruth>[]) =>
    oddStates(
      played({
        states: [{ phase }],
        job: { endedAt: 10 * s },
        untruths: untruths.map((one) => ({ ...one, from: 5 * s, until: 60 * s })),
        watchers: [{ name: 'follow', since: 20 * s, at: 21 * s }],
      }).result,
    );
  const [status, record] = [{ of: 'status' }, { of: 'record' }] as const;

  it('may be in_progress of a job that is over where its record trails and the status tells no truth', () => {
    expect(of('in_progress', [status, record])).toEqual([]);
  });

  it.each([
    ['in_progress', [status]],
    ['in_progress', [record]],
    ['pending', [status, record]],
  ] as const)('may not be %s where %j', (phase, untruths) => {
    expect(of(phase, untruths)).toEqual([`I13 job 0 (follow) saw ${phase} of what was over`]);
  });
});

describe('the time in which a watcher settles', () => {
  it.each([
    ['follow', 530, []],
    ['follow', 560, ['I1 job 0 (follow) settled 9800 ms too late, at 560000']],
  ])('counts from the end of its job for a %s that saw no state (%d s)', (name, at, problems) => {
    const { result } = played({
      error: serviceError('ProtocolChanged', {}),
      job: { endedAt: 10 * s },
      untruths: [{ of: 'status' }, { of: 'record' }],
      watchers: [{ name, at: at * s }],
    });
    expect(lateSettlements(result)).toEqual(problems);
  });

  it('counts what befell the job of a watcher that saw no state', () => {
    const { result } = played({
      error: serviceError('NotFound', {}),
      job: { endedAt: 10 * s },
      untruths: [{ promptId: 'p0' }],
      watchers: [{ name: 'follow', at: 100 * s }],
    });
    expect(lateSettlements(result)).toEqual([]);
  });

  it.each([
    ['events', 780, 0],
    ['events', 800, 1],
    ['both', 680, 1],
  ] as const)(
    'of files reported by %s, whose job is hidden until 600 s, is late at %d s: %d',
    (files, at, late) => {
      const { result } = played({
        plan: { files },
        states: [{ phase: 'completed' }],
        job: { endedAt: 10 * s },
        untruths: [{ promptId: 'p0', until: 600 * s }],
        ledger: {},
        watchers: [{ at: at * s }],
      });
      expect(lateSettlements(result)).toHaveLength(late);
    },
  );

  it.each([
    ['untraceable', 79, 0],
    ['untraceable', 81, 1],
    ['cancelled', 84, 1],
  ] as const)('of a deleted job that ended as %s is late at %d s: %d', (phase, at, late) => {
    const { result } = played({
      states: [{ phase }],
      job: { phase: 'cancelled', endedAt: 10 * s, leavesNoTrace: true },
      watchers: [{ at: at * s }],
    });
    expect(lateSettlements(result)).toHaveLength(late);
  });
});

it('paces the first attempts of looks, whenever they are made again', () => {
  const look = (at: number, fate: string, promptId = 'p0') =>
    ({ at, route: 'status', promptId, fate }) as const;
  const counted = firstAttempts([
    look(1, 'unsent'),
    look(2, 'unsent', 'p1'),
    look(3, 'cut'),
    look(4, 'fine'),
    look(5, 'fine'),
    ...[6, 7, 8, 9, 10].map((at) => look(at, 'unsent', 'p2')),
  ]);
  expect(counted.map(({ at }) => at)).toEqual([1, 2, 5, 6, 10]);
});

describe('the budget of looks on a local server', () => {
  /** So many requests a second of one kind, for a minute. */
  const requests = (route: RouteName, fate: string, perSecond: number): readonly LoggedRequest[] =>
    Array.from({ length: 60 * perSecond }, (_, index) => ({
      at: (index * s) / perSecond,
      route,
      url: '',
      key: undefined,
      fate,
    }));
  const found = (...all: readonly (readonly LoggedRequest[])[]): readonly string[] => {
    const { result } = played({
      ledger: { requests: all.flat().sort((one, other) => one.at - other.at) },
      watchers: [],
    });
    return brokenLimits({ ...result, schedule: { ...result.schedule, dialect: 'local' } });
  };

  it.each([
    ['listings within it', [requests('queue', 'fine', 100)], 0],
    ['listings above it', [requests('queue', 'fine', 120)], 1],
    ['listings that fail, each made again', [requests('queue', 'cut', 100)], 0],
    [
      'looks at records above it, while listings fail',
      [requests('history', 'fine', 120), requests('queue', 'cut', 20)],
      1,
    ],
    ['listings that fail, sent without a pause', [requests('queue', 'cut', 1_000)], 1],
  ] as const)('is judged by %s', (_, all, violations) => {
    expect(found(...all)).toHaveLength(violations);
  });
});

describe('a record that a local server has cleared', () => {
  const cancelled = { states: [{ phase: 'cancelled' }], watchers: [{ since: 5 * s, at: 60 * s }] } as const;
  const job = { phase: 'completed', endedAt: 10 * s, isRecordCleared: true } as const;

  it.each([
    ['excuses a cancellation that never was', {}, true],
    ['excuses none of a job whose frame the client had', { lastFrameAt: new Map([['p0', 9 * s]]) }, false],
    [
      'excuses one where the frame came before the client watched',
      { lastFrameAt: new Map([['p0', 4 * s]]) },
      true,
    ],
  ] as const)('%s', (_, ledger, isExcused) => {
    const { result, own, watcher } = played({ job, ledger, ...cancelled });
    const ended = { phase: 'cancelled', settledAt: 60 * s, watchers: [watcher] };
    expect(isUnknowable(result, own, ended)).toBe(isExcused);
  });
});
