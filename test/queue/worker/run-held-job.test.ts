import { describe, expect, it, onTestFinished } from 'vitest';
import { type HeldOptions, heldWorld, refusal } from './held-world.js';
import type { Intent } from '../../../src/server/queue/policy/intent.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import type { LoggedEvent } from '../../../src/server/joblog/event-log.js';
import { progressOf, statusOf } from '../../../src/core/events/state-members.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import type { ServiceError, TerminalPhase } from 'promptwire';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const intent: Intent = {
  ...{ attempt: 1, worker: 'dead', at: 0, since: 0, submissionIds: 'jobs', submissionId: 'p' },
};

const endedLog = (phase: TerminalPhase): readonly LoggedEvent[] => {
  const state = initialJobState({ workflow: {}, phase });
  const event = { type: 'status', at: 0, status: statusOf(state), progress: progressOf(state) } as const;
  return [{ id: '1', jobId: 'x', event }];
};

describe('an ephemeral job', () => {
  it.each(['completed', 'failed', 'cancelled'] as const)(
    'that is %s has no record at the service once its end is in the log',
    async (phase) => {
      const { calls, states, state, run, settled } = heldWorld({ sink: true, ephemeral: true });
      const running = run();
      await settled();
      states.next(state(phase));
      expect(await running).toBe('done');
      const end = calls.indexOf(`log t ${phase}, the last one`);
      expect(end).toBeGreaterThan(0);
      expect(calls.indexOf('delete p')).toBeGreaterThan(end);
      expect(calls.at(-1)).toBe(`leave ended ${phase} ${phase}`);
    },
  );

  it('of a worker that died after the end loses its record as well, and another job does not', async () => {
    const record = { intent, promptId: 'p' };
    const gone = heldWorld({ sink: true, ephemeral: true, record, logged: endedLog('completed') });
    expect(await gone.run()).toBe('done');
    expect(gone.calls).toEqual(['delete p', 'deliver x', 'leave ended completed completed']);
    const kept = heldWorld({ sink: true, record, logged: endedLog('completed') });
    expect(await kept.run()).toBe('done');
    expect(kept.calls).not.toContain('delete p');
  });

  it('ends all the same where its record stays, which is a warning unless it was gone before', async () => {
    const warnings = async (deleted: ServiceError) => {
      const record = { intent, promptId: 'p' };
      const given = { sink: true, ephemeral: true, record, logged: endedLog('completed'), deleted } as const;
      const { calls, run } = heldWorld(given);
      expect(await run()).toBe('done');
      return calls.filter((call) => call.startsWith('warn'));
    };
    const message = 'The service is unavailable.';
    expect(await warnings(serviceError('Network', { message, code: 'ECONNRESET', sent: true }))).toEqual([
      `warn The record of the job x stays at the service as p. ${message}`,
    ]);
    expect(await warnings(serviceError('NotFound', { message: 'There is no such job.' }))).toEqual([]);
  });

  it.each<[string, HeldOptions]>([
    ['no sink', {}],
    ['API v2', { sink: true, submissionIds: 'keys' }],
  ])('fails before anything is sent: %s', async (reason, options) => {
    const { calls, run } = heldWorld({ ...options, ephemeral: true });
    expect(await run()).toBe('done');
    expect(calls[0]).toBe('log t failed, the last one');
    expect(calls[1]).toContain(reason);
    expect(calls).toHaveLength(2);
  });

  it('that another worker has sent is followed without a sink as well', async () => {
    const { calls, states, state, run, settled } = heldWorld({
      ephemeral: true,
      record: { intent, promptId: 'p' },
    });
    const running = run();
    await settled();
    states.next(state('completed'));
    expect(await running).toBe('done');
    expect(calls).toContain('delete p');
  });
});

describe('a job that its worker runs', () => {
  it('is submitted, followed and left with its end, each step told of', async () => {
    const { calls, steps, states, state, run, settled } = heldWorld({ sink: true });
    const running = run();
    await settled();
    states.next(state('in_progress'));
    await settled();
    states.next(state('completed'));
    expect(await running).toBe('done');
    expect(calls).toEqual([
      ...['intend', 'submit', 'listen x', 'follow p'],
      ...['log t in_progress', 'log t completed, the last one', 'listen no more'],
      ...['deliver x', 'leave ended completed completed'],
    ]);
    expect(steps).toEqual(['wait', 'submit p', 'run p']);
  });

  it.each(['failed', 'cancelled', 'untraceable'] as const)(
    'is left as %s, and nothing of it is delivered',
    async (phase) => {
      const { calls, steps, states, state, run, settled } = heldWorld({ sink: true });
      const running = run();
      await settled();
      states.next(state(phase));
      expect(await running).toBe('done');
      expect(calls.at(-1)).toBe(`leave ended ${phase} ${phase}`);
      expect(calls).not.toContain('deliver x');
      expect(steps.at(-1)).toBe(`run ${phase === 'cancelled' ? 'JobCancelled' : 'JobFailed'} p`);
    },
  );

  it('goes back where another worker has it: at a state, and at the end', async () => {
    const early = heldWorld({ mayAppend: () => false });
    const first = early.run();
    await early.settled();
    early.states.next(early.state('in_progress'));
    expect(await first).toBe('requeue');
    const late = heldWorld({ mayLeave: () => false });
    const second = late.run();
    await late.settled();
    late.states.next(late.state('completed'));
    expect(await second).toBe('requeue');
  });

  it('is not delivered, and no step of it told of, where another worker writes its end', async () => {
    const { calls, steps, states, state, run, settled } = heldWorld({ mayAppend: () => false, sink: true });
    const running = run();
    await settled();
    states.next(state('completed'));
    expect(await running).toBe('requeue');
    expect(calls.slice(-2)).toEqual(['follow p', 'listen no more']);
    expect(steps).toEqual(['wait', 'submit p']);
  });

  it('goes back where the worker stops, and leaves the job as it is', async () => {
    const { calls, states, stop, run, settled } = heldWorld();
    const running = run();
    await settled();
    stop.abort();
    expect(await running).toBe('requeue');
    expect(states.observed).toBe(false);
    expect(calls.filter((call) => call.startsWith('leave'))).toEqual([]);
  });

  it('is untraceable where no source knows it any more', async () => {
    const { calls, states, run, settled } = heldWorld();
    const running = run();
    await settled();
    states.error(serviceError('NotFound', { message: 'No such job.' }));
    expect(await running).toBe('done');
    expect(calls.slice(-2)).toEqual(['listen no more', 'leave ended untraceable untraceable']);
    expect(calls).toContain('log t untraceable, the last one');
  });

  it('goes back after a pause where it can’t be followed for now, and throws what is a bug', async () => {
    const away = heldWorld();
    const running = away.run();
    await away.settled();
    away.states.error(serviceError('Network', { message: 'away', code: 'ECONNRESET', sent: true }));
    expect(await running).toBe('requeue');
    expect(away.calls.slice(-2)).toEqual(['pause 1000', 'listen no more']);
    const broken = heldWorld();
    const breaking = broken.run();
    await broken.settled();
    broken.states.error(new TypeError('a bug'));
    await expect(breaking).rejects.toThrow('a bug');
    expect(broken.calls.at(-1)).toBe('listen no more');
  });

  it('publishes the newest preview, and goes on where that fails', async () => {
    const { calls, frames, states, state, run, settled } = heldWorld();
    const running = run();
    await settled();
    frames.next({ _tag: 'Text' });
    frames.next({ _tag: 'Preview' });
    await settled();
    expect(calls.filter((call) => call.startsWith('preview'))).toEqual(['preview x']);
    states.next(state('completed'));
    await running;
    expect(frames.observed).toBe(false);
  });
});

it('tells of each step whose job it was, and how long it took', async () => {
  const told: unknown[] = [];
  onTestFinished(listenTo('promptwire:queue:wait', (message) => void told.push(message)));
  await heldWorld({ answers: [refusal('Closed')] }).run();
  expect(told).toEqual([{ queue: 'q', jobId: 'x', tenant: 't', worker: 'w', startedAt: 5, endedAt: 9 }]);
});

it('publishes the newest preview of every 250 ms', async () => {
  const clock = virtualClock();
  const { calls, frames, run, settled, stop } = heldWorld({ after: clock.after });
  const running = run();
  await settled();
  const published = () => calls.filter((call) => call.startsWith('preview')).length;
  for (let at = 0; at < 3; at += 1) frames.next({ _tag: 'Preview' });
  await settled();
  expect(published()).toBe(1);
  await clock.advance(249);
  expect(published()).toBe(1);
  await clock.advance(1);
  expect(published()).toBe(2);
  await clock.advance(10_000);
  expect(published()).toBe(2);
  stop.abort();
  await running;
});

describe('a job whose end is asked for', () => {
  const cancelled = { cancelRequestedAt: 1 };

  it('is not submitted where the service can’t have it', async () => {
    const { calls, run } = heldWorld({ later: [cancelled] });
    expect(await run()).toBe('done');
    expect(calls).toEqual(['log t cancelled, the last one', 'leave ended cancelled cancelled']);
  });

  it.each([
    ['an intent', { intent }],
    ['an id of the service', { promptId: 'p' }],
    ['both', { intent, promptId: 'p' }],
  ])(
    'is cancelled by the service where its record has %s, as of one that waited again',
    async (_, record) => {
      const { calls, states, state, run, settled } = heldWorld({ record: { ...cancelled, ...record } });
      const running = run();
      await settled();
      await settled();
      expect(calls).toContain('cancel p');
      states.next(state('completed'));
      expect(await running).toBe('done');
      expect(calls.at(-1)).toBe('leave ended completed completed');
    },
  );

  it('is cancelled where the wish came between its submission and its following', async () => {
    const { calls, states, state, run, settled } = heldWorld({ later: [{}, cancelled] });
    const running = run();
    await settled();
    expect(calls.slice(1)).toEqual(['submit', 'listen x', 'cancel p', 'follow p']);
    states.next(state('cancelled'));
    await running;
    expect(calls.at(-1)).toBe('leave ended cancelled cancelled');
  });

  it('T7 is asked for again until it has ended', async () => {
    const { after, advance } = virtualClock();
    const { calls, states, state, run, settled } = heldWorld({
      record: { ...cancelled, promptId: 'p' },
      after,
    });
    void run();
    await settled();
    await advance(16_000);
    expect(calls.filter((call) => call === 'cancel p')).toHaveLength(3);
    states.next(state('cancelled'));
    await advance(600_000);
    expect(calls.filter((call) => call === 'cancel p')).toHaveLength(3);
  });

  it('is cancelled while it is followed, and not afterwards', async () => {
    const { calls, states, state, run, settled, askForCancel } = heldWorld();
    const running = run();
    await settled();
    expect(calls).not.toContain('cancel p');
    askForCancel();
    expect(calls.at(-1)).toBe('cancel p');
    states.next(state('cancelled'));
    await running;
    askForCancel();
    expect(calls.filter((call) => call === 'cancel p')).toHaveLength(1);
  });
});

describe('a submission that the service refuses', () => {
  it.each([
    ['as it says', 7_000, 7_000],
    ['a second at least', 1, 1_000],
    ['a minute at most', 600_000, 60_000],
    ['for five seconds where it does not say', undefined, 5_000],
  ])('for the moment waits with its slot, %s, and is sent again', async (_, retryAfterMs, waited) => {
    const { calls, steps, states, state, run, settled } = heldWorld({
      answers: [refusal('RateLimited', retryAfterMs), 'p'],
    });
    const running = run();
    await settled();
    await settled();
    states.next(state('completed'));
    expect(await running).toBe('done');
    expect(calls.slice(0, 5)).toEqual(['intend', 'submit', `pause ${waited}`, 'intend', 'submit']);
    expect(steps).toEqual(['wait', 'submit RateLimited', 'submit p', 'run p']);
  });

  it('for good fails the job, with the reason', async () => {
    const refused = serviceError('BadRequest', {
      ...{ message: 'It is BadRequest.', requestId: 'req-7' },
      nodeErrors: { 3: { classType: 'KSampler', dependentOutputs: [], errors: [] } },
    });
    const { calls, steps, log, run } = heldWorld({ answers: [refused] });
    expect(await run()).toBe('done');
    expect(calls.slice(-2)).toEqual(['log t failed, the last one', 'leave ended failed It is BadRequest.']);
    expect(log.at(-1)?.event).toMatchObject({
      status: {
        failure: {
          ...{ exceptionType: 'BadRequest', exceptionMessage: 'It is BadRequest.', requestId: 'req-7' },
          nodeErrors: { 3: { classType: 'KSampler' } },
        },
      },
    });
    expect(steps).toEqual(['wait', 'submit BadRequest']);
  });

  it('for all of the account has the job wait again, and pauses the queue', async () => {
    const { calls, run } = heldWorld({ answers: [refusal('Unauthorized')] });
    expect(await run()).toBe('requeue');
    expect(calls.slice(-3)).toEqual(['leave waiting', 'pause the queue: Unauthorized', 'pause 1000']);
  });

  it('since the worker’s client ends has the job wait again, and pauses no queue', async () => {
    const { calls, run } = heldWorld({ answers: [refusal('Closed')] });
    expect(await run()).toBe('requeue');
    expect(calls.slice(-2)).toEqual(['leave waiting', 'pause 1000']);
  });
});

describe('a job of an earlier worker', () => {
  it('is followed by its id, and not submitted', async () => {
    const { calls, steps, states, state, run, settled } = heldWorld({ record: { intent, promptId: 'p' } });
    const running = run();
    await settled();
    states.next(state('completed'));
    await running;
    expect(calls[0]).toBe('listen x');
    expect(calls).not.toContain('submit');
    // It waited before the first worker took it.
    expect(steps).toEqual(['submit p', 'run p']);
  });

  it.each([
    ['completed', ['deliver x', 'leave ended completed completed']],
    ['failed', ['leave ended failed failed']],
  ] as const)('that has logged the end, %s, is only left', async (phase, expected) => {
    const { calls, steps, run } = heldWorld({ logged: endedLog(phase), sink: true });
    expect(await run()).toBe('done');
    expect(calls).toEqual(expected);
    expect(steps).toEqual([]);
  });

  it('that was given up, and that a person has submitted again, begins anew', async () => {
    const { calls, states, state, run, settled } = heldWorld({ logged: endedLog('unknown') });
    const running = run();
    await settled();
    states.next(state('completed'));
    expect(await running).toBe('done');
    expect(calls).toContain('submit');
  });
});

it('fails a job whose workflow is gone, and leaves alone one whose record is', async () => {
  const { calls, run } = heldWorld({ hasWorkflow: false });
  expect(await run()).toBe('done');
  expect(calls).toEqual(['log t failed, the last one', 'leave ended failed The workflow is gone.']);
  const forgotten = heldWorld({ later: ['gone'] });
  expect(await forgotten.run()).toBe('requeue');
  expect(forgotten.calls).toEqual([]);
});

describe('a job whose record can’t be read whole', () => {
  it('of a later version is left to workers of that version, for five seconds', async () => {
    const { calls, run } = heldWorld({ record: { later: true }, logged: endedLog('completed') });
    expect(await run()).toBe('requeue');
    expect(calls).toEqual(['leave waiting', 'pause 5000']);
  });

  const kept = "can't be read: it is kept in {promptwire:q}:damaged.";
  const ofSubmission = 'What the queue kept of the submission';
  const ofWorkflow = 'The workflow that the queue kept';
  it.each([
    ['intent', { unreadable: true }, {}, ofSubmission, ' The service may have the job.'],
    ['intent', { unreadable: true, promptId: 'p' }, {}, ofSubmission, ' The service has the job as p.'],
    ['workflow', {}, { hasWorkflow: 'unreadable' }, ofWorkflow, ''],
    [
      'workflow',
      { promptId: 'p' },
      { hasWorkflow: 'unreadable' },
      ofWorkflow,
      ' The service has the job as p.',
    ],
  ] as const)('ends, and the %s is kept aside and said once', async (part, record, options, what, more) => {
    const { calls, run } = heldWorld({ record, ...options });
    expect(await run()).toBe('done');
    expect(calls).toEqual([
      `set aside ${part}`,
      `warn ${what} of the job x ${kept}`,
      'log t failed, the last one',
      `leave ended failed ${what} can't be read.${more}`,
    ]);
  });
});

it('leaves a job to a person where nothing says whether the service has it, and tells so', async () => {
  const told: unknown[] = [];
  onTestFinished(listenTo('promptwire:queue:unknown', (one) => void told.push(one)));
  // The service has forgotten its key by now.
  const lost = { ...intent, submissionIds: 'keys', since: -24 * 3_600_000 } as const;
  const { calls, steps, run } = heldWorld({ record: { intent: lost } });
  expect(await run()).toBe('done');
  expect(told).toMatchObject([{ queue: 'q', jobId: 'x', tenant: 't', worker: 'w', candidates: [] }]);
  expect(calls.slice(-2)).toEqual([
    'log t unknown, the last one',
    expect.stringMatching(/^leave unknown unknown ./u),
  ]);
  expect(steps).toEqual(['submit OutcomeUnknown']);
});
