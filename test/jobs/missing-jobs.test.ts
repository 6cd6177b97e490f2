import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/client/dialects/dialects.js';
import { follow } from '../../src/client/jobs/follow.js';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import type { Rest } from '../../src/core/http/rest.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

type Told = JobStatus['phase'] | ServiceError;

const p = messages('p');
const missing = serviceError('NotFound', { status: 404 });
const broken = serviceError('UnexpectedStatus', { status: 410 });
const outputs = { 9: { images: [imageOf('a.png')] } };

/** A service whose routes tell what the test says at each moment. */
const service = (told: { status: Told; history?: 'completed' | ServiceError; user?: ServiceError }) => {
  const asked: { promptId: string; at: number }[] = [];
  let now = (): number => 0;
  const rest: Partial<Rest> = {
    jobStatus: (promptId) => () => {
      asked.push({ promptId, at: now() });
      const { status } = told;
      return status instanceof Error
        ? TE.left(status)()
        : TE.right({ promptId, status, phase: status } as const)();
    },
    history: (promptId) => () => {
      const { history = missing } = told;
      return history instanceof Error
        ? TE.left(history)()
        : TE.right({ promptId, outputs, phase: history, isFinal: true, record: {} })();
    },
    user: () => () => (told.user === undefined ? TE.right({ status: 'active' })() : TE.left(told.user)()),
  };
  return { told, rest, asked, clock: (clock: { now: () => number }) => (now = clock.now) };
};

const tracked = (
  told: Parameters<typeof service>[0],
  { dialect = 'cloud', open = true }: { dialect?: Dialect; open?: boolean } = {},
) => {
  const { rest, asked, clock } = service(told);
  const harness = jobHarness(rest, dialect);
  clock(harness.platform.clock);
  const connection = harness.context.source.connected.subscribe();
  if (open) harness.socket().open();
  const clientId = open ? new URL(harness.socket().url).searchParams.get('clientId')! : undefined;
  const job = watch(
    harness.context.tracker.track({
      initial: initialJobState({ promptId: 'p', phase: 'pending' }),
      wasSeen: true,
      boundTo: dialect === 'local' ? clientId : undefined,
    }),
  );
  /** Time in which the socket answers each ping, and brings nothing else. */
  const silence = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      await harness.platform.clock.advance(Math.min(500, left));
      if (harness.socket().closedBy() === undefined) harness.socket().pong();
    }
  };
  return { ...harness, ...job, told, asked, silence, clock: harness.platform.clock, connection };
};

describe('a job that status and history do not know', () => {
  it('F28: is not untraceable after 90 s, and polled in between', async () => {
    const { told, silence, phases, last, asked } = tracked({ status: 'in_progress' });
    await silence(31_000);
    told.status = missing;
    const before = asked.length;
    await silence(90_000);
    expect(phases().at(-1)).toBe('in_progress');
    expect(asked.length - before).toBeGreaterThanOrEqual(6);
    told.status = 'completed';
    told.history = 'completed';
    await silence(25_000);
    expect(last()).toMatchObject({ phase: 'completed', outputs });
  });

  it('F28: is untraceable once the service has answered for other things for 2 minutes', async () => {
    const { told, silence, phases, completed } = tracked({ status: 'in_progress' });
    await silence(31_000);
    told.status = missing;
    await silence(145_000);
    expect(phases().at(-1)).toBe('in_progress');
    await silence(60_000);
    expect(phases().at(-1)).toBe('untraceable');
    expect(completed()).toBe(true);
  });

  it('F28: is not untraceable while the service answers for nothing else', async () => {
    const { told, silence, phases, error } = tracked({ status: 'in_progress' });
    await silence(31_000);
    told.status = missing;
    told.user = serviceError('ServerError', { status: 503 });
    await silence(900_000);
    expect(phases().at(-1)).toBe('in_progress');
    expect(error()).toBeUndefined();
  });

  it('F28: is not untraceable while the socket brings frames of it', async () => {
    const { told, silence, socket, phases } = tracked({ status: 'in_progress' });
    told.status = missing;
    for (let minute = 0; minute < 15; minute += 1) {
      await silence(60_000);
      socket().receive(p.progress('3', minute + 1, 100));
    }
    expect(phases().at(-1)).toBe('in_progress');
  });

  it('F28: loses a few seconds by one 404 only', async () => {
    const { told, clock, phases, socket } = tracked({ status: missing });
    socket().receive(p.start);
    socket().receive(p.executing(null));
    await clock.advance(2_000);
    expect(phases().at(-1)).toBe('in_progress');
    told.status = 'completed';
    told.history = 'completed';
    await clock.advance(2_000);
    expect(phases().at(-1)).toBe('completed');
  });

  it('F28: is found again by follow after it was untraceable', async () => {
    const { told, silence, context, last } = tracked({ status: 'in_progress' });
    await silence(31_000);
    told.status = missing;
    await silence(300_000);
    expect(last().phase).toBe('untraceable');
    told.status = 'completed';
    told.history = 'completed';
    const again = watch(follow(context, 'p'));
    await silence(1_000);
    expect(again.phases()).toEqual(['completed']);
    expect(again.last()).toMatchObject({ outputs, outputsComplete: true });
  });

  it.each(['cloud', 'local'] as const)(
    'F29: counts no hour in which its page was hidden (%s)',
    async (dialect) => {
      const { told, silence, clock, phases, socket } = tracked({ status: 'in_progress' }, { dialect });
      await silence(31_000);
      told.status = missing;
      socket().receive(p.executing(null));
      await silence(2_500);
      for (let hour = 0; hour < 3; hour += 1) {
        clock.block(3_600_000);
        await clock.advance(3_000);
      }
      expect(phases().at(-1)).toBe('in_progress');
      told.status = 'completed';
      told.history = 'completed';
      await clock.advance(60_000);
      expect(phases().at(-1)).toBe('completed');
    },
  );

  it('F35: stays ended where its end was reported, though its record is awaited', async () => {
    const { told, socket, silence, phases } = tracked({ status: 'in_progress' });
    socket().receive(p.start);
    told.status = missing;
    socket().receive(p.success);
    await silence(400_000);
    expect(phases().at(-1)).toBe('completed');
  });
});

describe('a service that answers oddly for good', () => {
  it.each(['UnexpectedStatus', 'BadRequest', 'Decode', 'TooLarge', 'ServerError'] as const)(
    'F30: reports the end by history where the status is %s',
    async (tag) => {
      const odd = serviceError(tag, { reason: 'x', nodeErrors: {} });
      const { silence, last } = tracked({ status: odd, history: 'completed' });
      await silence(40_000);
      expect(last()).toMatchObject({ phase: 'completed', outputs });
    },
  );

  it('F30: reports the end by its status where history is odd', async () => {
    const { silence, phases } = tracked({ status: 'completed', history: broken });
    await silence(400_000);
    expect(phases().at(-1)).toBe('completed');
  });

  it.each([broken, missing])(
    'F31: errors with ProtocolChanged after 5 minutes without sense',
    async (history) => {
      const { silence, error, phases } = tracked({ status: broken, history });
      await silence(300_000);
      expect(error()).toBeUndefined();
      await silence(90_000);
      expect(error()).toMatchObject({ _tag: 'ProtocolChanged', promptId: 'p' });
      expect(phases()).toEqual(['pending']);
    },
  );

  it('F31: goes on while the socket reports the job', async () => {
    const { silence, error, socket } = tracked({ status: broken, history: broken });
    for (let minute = 0; minute < 15; minute += 1) {
      await silence(60_000);
      socket().receive(p.progress('3', minute + 1, 100));
    }
    expect(error()).toBeUndefined();
  });

  it('F31: takes an outage of the whole service for no change of its interface', async () => {
    const down = serviceError('ServerError', { status: 502 });
    const { silence, error } = tracked({ status: down, history: down });
    await silence(900_000);
    expect(error()).toBeUndefined();
  });
});

describe('a waiting job that is gone from a local server', () => {
  it('F26: is cancelled at a second look where this client deleted it', async () => {
    const { told, silence, clock, context, phases, completed } = tracked(
      { status: 'pending' },
      { dialect: 'local' },
    );
    await silence(5_000);
    told.status = missing;
    context.tracker.cancelled('p');
    await clock.advance(250);
    expect(phases()).toEqual(['pending', 'cancelled']);
    expect(completed()).toBe(true);
  });

  it('F26: is cancelled after one confirmation where another client deleted it', async () => {
    const { told, silence, clock, phases, asked } = tracked({ status: 'pending' }, { dialect: 'local' });
    await silence(40_000);
    told.status = missing;
    const before = asked.length;
    while (asked.length === before) await silence(500);
    expect(phases()).toEqual(['pending']);
    await clock.advance(2_000);
    expect(phases()).toEqual(['pending', 'cancelled']);
  });

  it('F27: is untraceable where the server may have been started anew', async () => {
    const { told, silence, platform, socket, phases } = tracked({ status: 'pending' }, { dialect: 'local' });
    await silence(5_000);
    told.status = missing;
    socket().end();
    while (platform.sockets.length < 2) await silence(500);
    socket().open();
    await silence(25_000);
    expect(phases()).toEqual(['pending']);
    await silence(15_000);
    expect(phases()).toEqual(['pending', 'untraceable']);
  });

  it.each([
    ['cancelled', 'knew before the socket was lost', 0],
    ['untraceable', 'came to know later', 20_000],
  ] as const)(
    'F27: is %s where the server still has another job that it %s',
    async (phase, _, knownAfterMs) => {
      const { told, rest } = service({ status: 'pending' });
      const jobStatus: Rest['jobStatus'] = (promptId) =>
        promptId === 'p'
          ? rest.jobStatus!(promptId)
          : TE.right({ promptId, status: 'success', phase: 'completed' });
      const { platform, socket, context, known } = jobHarness({ ...rest, jobStatus }, 'local');
      const { clock } = platform;
      const job = watch(
        context.tracker.track({ initial: initialJobState({ promptId: 'p' }), wasSeen: true }),
      );
      socket().open();
      if (knownAfterMs === 0) known.add('q');
      await clock.advance(5_000);
      told.status = missing;
      socket().end();
      while (platform.sockets.length < 2) await clock.advance(500);
      socket().open();
      await clock.advance(knownAfterMs);
      if (knownAfterMs > 0) known.add('q');
      await clock.advance(5_000);
      expect(job.phases()).toEqual(phase === 'cancelled' ? ['pending', 'cancelled'] : ['pending']);
      await clock.advance(15_000);
      expect(job.phases()).toEqual(['pending', phase]);
    },
  );

  it('F27: is untraceable, not cancelled, where it ran', async () => {
    const { told, silence, socket, phases } = tracked({ status: 'in_progress' }, { dialect: 'local' });
    socket().receive(p.start);
    await silence(5_000);
    told.status = missing;
    await silence(70_000);
    expect(phases()).toEqual(['pending', 'in_progress', 'untraceable']);
  });
});

describe('follow', () => {
  const following = (told: Parameters<typeof service>[0], dialect: Dialect = 'cloud') => {
    const { rest, clock } = service(told);
    const harness = jobHarness(rest, dialect);
    clock(harness.platform.clock);
    const job = watch(follow(harness.context, 'p'));
    harness.socket().open();
    return { ...job, clock: harness.platform.clock, told };
  };

  it('F33: emits the job’s first real state first', async () => {
    const ended = following({ status: 'completed', history: 'completed' });
    await ended.clock.advance(0);
    expect(ended.states.map(({ phase }) => phase)).toEqual(['completed']);
    const waiting = following({ status: 'pending' });
    expect(waiting.states).toEqual([]);
    await waiting.clock.advance(0);
    expect(waiting.states.map(({ phase }) => phase)).toEqual(['pending']);
  });

  it.each([
    ['lists a file', { outputs }, 'in_progress'],
    ['has its start', { outputs: {}, startedAt: 1 }, 'in_progress'],
    ['has nothing of it', { outputs: {} }, 'pending'],
  ])('F33: has the phase of its record, which %s and is not final', async (_, more, phase) => {
    const { rest } = service({ status: broken });
    const unfinished = () => TE.right({ promptId: 'p', isFinal: false, record: {}, ...more });
    const { context, platform, socket } = jobHarness({ ...rest, history: unfinished });
    const job = watch(follow(context, 'p'));
    socket().open();
    await platform.clock.advance(0);
    expect(job.states.map((state) => state.phase)).toEqual([phase]);
  });

  it.each([
    ['cloud', 30_000],
    ['local', 4_000],
  ] as const)(
    'F34: errors with NotFound after that long, and with no state before (%s)',
    async (dialect, ms) => {
      const { clock, states, error } = following({ status: missing }, dialect);
      await clock.advance(ms - 1);
      expect(error()).toBeUndefined();
      await clock.advance(1);
      expect(error()).toMatchObject({ _tag: 'NotFound', promptId: 'p' });
      expect(states).toEqual([]);
    },
  );

  it('L8: does not take a job for cancelled that it never saw waiting', async () => {
    const { rest, clock } = service({ status: missing });
    const harness = jobHarness(rest, 'local');
    clock(harness.platform.clock);
    harness.context.accepted.add('p');
    const again = watch(follow(harness.context, 'p'));
    harness.socket().open();
    await harness.platform.clock.advance(10_000);
    expect(again.phases()).toEqual([]);
    await harness.platform.clock.advance(60_000);
    expect(again.phases()).toEqual(['untraceable']);
  });

  it('F34: asks again within seconds where the first question got no answer', async () => {
    const { clock, told, phases } = following({
      status: serviceError('Timeout', { timeoutMs: 30_000, sent: true }),
    });
    await clock.advance(4_000);
    told.status = 'in_progress';
    await clock.advance(1_000);
    expect(phases()).toEqual(['in_progress']);
  });

  it('F34: finds a job that is listed a while later', async () => {
    const { clock, told, phases, error } = following({ status: missing });
    await clock.advance(20_000);
    told.status = 'in_progress';
    await clock.advance(10_000);
    expect(error()).toBeUndefined();
    expect(phases()).toEqual(['in_progress']);
  });
});
