import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import {
  type CircuitBreaker,
  circuitBreaker,
  type CircuitBreakerOptions,
} from '../../src/core/http/circuit-breaker.js';
import type { ClientStop } from '../../src/core/http/client-stop.js';
import type { ServiceError, ServiceErrorTag } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const submission = { idempotency: 'submission', method: 'POST', path: '/api/prompt' } as const;
const reading = { idempotency: 'always', method: 'GET', path: '/api/job/b/status', promptId: 'b' } as const;
const user = { idempotency: 'always', method: 'GET', path: '/api/user' } as const;
type Call = Parameters<CircuitBreaker['refusal']>[0];

const unauthorized = serviceError('Unauthorized', { status: 401 });
const worded = serviceError('Unauthorized', { status: 401, errorType: 'UNAUTHORIZED' });
const untyped429 = serviceError('SubscriptionInactive', { status: 429 });

const made = (options: Partial<CircuitBreakerOptions> = {}) => {
  const clock = virtualClock();
  let keyIsGood = false;
  let probes = 0;
  let ended = 0;
  const breaker = circuitBreaker({
    clock,
    probe: () => {
      probes += 1;
      return Promise.resolve(keyIsGood ? E.right({}) : E.left(unauthorized));
    },
    checkKey: async () => {
      if (keyIsGood) return E.right({});
      await refuse(unauthorized, user);
      return E.left(unauthorized);
    },
    isKeyAccepted: () => false,
    ended: () => (ended += 1),
    ...options,
  });
  /** Has a call meet this refusal until it counts. */
  const refuse = async (error: ServiceError, call: Call): Promise<number> => {
    for (let refusals = 0; ; refusals += 1) {
      const verdict = breaker.attempt(call).failed(error, refusals);
      if (verdict === 'confirmed') await breaker.confirm(error, call);
      if (verdict !== 'doubtful') return refusals + 1;
    }
  };
  const stops: ClientStop[] = [];
  let isComplete = false;
  breaker.stops.subscribe({ next: (stop) => stops.push(stop), complete: () => (isComplete = true) });
  return {
    breaker,
    clock,
    stops,
    tags: () => stops.map(({ _tag }) => _tag),
    probes: () => probes,
    ended: () => ended,
    isComplete: () => isComplete,
    acceptKey: () => (keyIsGood = true),
    refuse,
  };
};

describe('circuitBreaker', () => {
  it('lets everything through at first, and says that nothing is stopped', () => {
    const { breaker, tags } = made();
    expect(breaker.refusal(submission)).toBeUndefined();
    expect(breaker.refusal(reading)).toBeUndefined();
    expect(tags()).toEqual(['none']);
  });

  it('E22: doubts a refusal without a word of the service twice', async () => {
    for (const error of [unauthorized, serviceError('Forbidden', { status: 403 }), untyped429])
      expect(await made().refuse(error, reading)).toBe(3);
    expect(await made().refuse(untyped429, submission)).toBe(3);
  });

  it('E22: takes a refusal in the service’s own words at once, unless the key was accepted before', async () => {
    expect(await made().refuse(worded, reading)).toBe(1);
    expect(await made({ isKeyAccepted: () => true }).refuse(worded, reading)).toBe(3);
    const { breaker, refuse } = made();
    breaker.attempt(reading).succeeded();
    expect(await refuse(worded, reading)).toBe(3);
  });

  it('E27: has no submission sent again whose key is refused, and asks for the key before it stops anything', async () => {
    const { refuse, tags } = made({ isKeyAccepted: () => true });
    expect(await refuse(worded, submission)).toBe(1);
    expect(tags()).toEqual(['none', 'auth']);
    const other = made();
    other.acceptKey();
    expect(await other.refuse(unauthorized, submission)).toBe(1);
    expect(other.tags()).toEqual(['none']);
    expect(other.breaker.attempt(submission).failed(unauthorized, 0)).toBeUndefined();
  });

  it('E22: never doubts what names the plan, nor a call that is never repeated', async () => {
    const plan = serviceError('SubscriptionInactive', {
      status: 429,
      errorType: 'CLOUD_SUBSCRIPTION_REQUIRED',
    });
    const once = { idempotency: 'never', method: 'POST', path: '/api/interrupt' } as const;
    expect(await made({ isKeyAccepted: () => true }).refuse(plan, submission)).toBe(1);
    expect(await made().refuse(serviceError('InsufficientCredits', { status: 402 }), submission)).toBe(1);
    const { breaker, refuse, tags } = made();
    expect(await refuse(unauthorized, once)).toBe(1);
    expect(breaker.refusal(submission)).toBeUndefined();
    expect(tags()).toEqual(['none']);
  });

  it('E10: stops submissions and reads after a read whose refusal the probe confirms', async () => {
    const { breaker, refuse, stops, clock } = made();
    await clock.advance(7);
    await refuse(unauthorized, reading);
    expect(breaker.refusal(submission)).toMatchObject({
      _tag: 'Unauthorized',
      message: unauthorized.message,
    });
    expect(breaker.refusal(reading)).toMatchObject({ _tag: 'Unauthorized', message: unauthorized.message });
    expect(stops.at(-1)).toEqual({
      _tag: 'auth',
      reason: unauthorized.message,
      since: clock.wall(),
      error: unauthorized,
    });
  });

  it('E24: finds out by one read whether REST goes on telling of jobs', async () => {
    const status = serviceError('NotFound', { status: 404 });
    for (const [outcome, isTold] of [
      ['succeeds', true],
      ['is unknown', true],
      ['is refused', false],
    ] as const) {
      const { breaker, refuse, tags } = made();
      await refuse(unauthorized, submission);
      expect(breaker.refusal(submission)).toBeDefined();
      expect(breaker.refusal(reading)).toBeUndefined();
      const first = breaker.attempt(reading);
      expect(breaker.refusal(reading)).toBeDefined();
      if (outcome === 'succeeds') first.succeeded();
      else expect(first.failed(outcome === 'is unknown' ? status : worded, 0)).toBeUndefined();
      expect(breaker.refusal(reading) === undefined).toBe(isTold);
      expect(tags()).toEqual(['none', 'auth']);
    }
  });

  it('E23: has a call that was passed over confirm again where the one after it is passed over as well', () => {
    const { breaker, clock } = made();
    const first = breaker.confirmations.begin()!;
    clock.block(15_000);
    const second = breaker.confirmations.begin()!;
    clock.block(15_000);
    first.asksAgain();
    expect(breaker.confirmations.begin()).toBeUndefined();
    second.end();
    expect(breaker.confirmations.over()).toBeDefined();
    first.end();
    expect(breaker.confirmations.over()).toBeUndefined();
  });

  it('E24: lets another read find out where the first one got no answer', async () => {
    const { breaker, refuse } = made();
    await refuse(unauthorized, user);
    const failed = breaker.attempt(reading).failed(serviceError('Network', { code: 'x', sent: true }), 0);
    expect(failed).toBeUndefined();
    expect(breaker.refusal(reading)).toBeUndefined();
    breaker.attempt(reading);
    expect(breaker.refusal(reading)).toBeDefined();
  });

  it('E22: stops nothing for a route that refuses while the key is good, and doubts it no more for a minute', async () => {
    const { breaker, refuse, tags, acceptKey, probes, clock } = made();
    acceptKey();
    await refuse(unauthorized, reading);
    expect(breaker.refusal(submission)).toBeUndefined();
    expect(tags()).toEqual(['none']);
    expect(await refuse(unauthorized, { ...reading, path: '/api/job/c/status' })).toBe(1);
    expect(probes()).toBe(1);
    await clock.advance(60_000);
    expect(await refuse(unauthorized, reading)).toBe(3);
    expect(probes()).toBe(2);
  });

  it.each([
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
  ] as const)(
    'E10: needs no probe where the question for the key itself is refused with %i',
    async (status, tag) => {
      const { refuse, stops, probes } = made();
      await refuse(serviceError(tag, { status }), user);
      expect(stops.at(-1)).toMatchObject({ _tag: 'auth', error: { _tag: tag } });
      expect(probes()).toBe(0);
    },
  );

  it.each(['InsufficientCredits', 'SubscriptionInactive'] as const)(
    'E7, E9: stops submissions only after %s',
    async (tag) => {
      const { breaker, refuse, stops } = made();
      const error = serviceError(tag, { status: 402, errorType: 'PAYMENT_REQUIRED' });
      await refuse(error, submission);
      expect(breaker.refusal(submission)).toMatchObject({ _tag: tag, message: error.message });
      expect(breaker.refusal(reading)).toBeUndefined();
      expect(stops.at(-1)).toMatchObject({ _tag: 'billing', error: { _tag: tag } });
    },
  );

  it.each<ServiceErrorTag>([
    'Forbidden',
    'NotFound',
    'QueueFull',
    'RateLimited',
    'ServerError',
    'BadRequest',
  ])('does not stop after %s', async (tag) => {
    const { breaker, refuse, tags } = made();
    await refuse(serviceError(tag, { nodeErrors: {} }), submission);
    expect(breaker.refusal(submission)).toBeUndefined();
    expect(tags()).toEqual(['none']);
  });

  it('E25: asks for the key after 5, 10, 20 and every 30 minutes, and ends the stop once it is accepted', async () => {
    const { breaker, refuse, clock, tags, probes, ended, acceptKey } = made();
    await refuse(unauthorized, user);
    const asked: number[] = [];
    for (let minute = 1; minute <= 125; minute += 1) {
      await clock.advance(60_000);
      if (probes() > asked.length) asked.push(minute);
    }
    expect(asked).toEqual([5, 15, 35, 65, 95, 125]);
    acceptKey();
    await clock.advance(1_800_000);
    expect(tags()).toEqual(['none', 'auth', 'none']);
    expect(breaker.refusal(submission)).toBeUndefined();
    expect(breaker.refusal(reading)).toBeUndefined();
    expect(ended()).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it('E26: lets one submission a minute through a billing stop, whose success ends it', async () => {
    const { breaker, refuse, clock, tags, ended } = made();
    await refuse(untyped429, submission);
    await clock.advance(59_999);
    expect(breaker.refusal(submission)).toBeDefined();
    await clock.advance(1);
    expect(breaker.refusal(submission)).toBeUndefined();
    const trial = breaker.attempt(submission);
    expect(breaker.refusal(submission)).toBeDefined();
    expect(trial.failed(untyped429, 0)).toBeUndefined();
    await clock.advance(60_000);
    expect(breaker.refusal(submission)).toBeUndefined();
    breaker.attempt(submission).succeeded();
    expect(tags()).toEqual(['none', 'billing', 'none']);
    expect(ended()).toBe(1);
  });

  it('E26: does not end a billing stop by a submission that was sent before it', async () => {
    const { breaker, refuse, tags } = made();
    const before = breaker.attempt(submission);
    await refuse(serviceError('InsufficientCredits', { status: 402 }), submission);
    before.succeeded();
    expect(tags()).toEqual(['none', 'billing']);
  });

  it('tells of the key first where both are refused, then of the plan', async () => {
    const { breaker, refuse, tags, acceptKey, clock } = made();
    await refuse(serviceError('InsufficientCredits', { status: 402 }), submission);
    await refuse(unauthorized, user);
    acceptKey();
    await clock.advance(300_000);
    expect(tags()).toEqual(['none', 'billing', 'auth', 'billing']);
    breaker.reset();
    expect(tags().at(-1)).toBe('none');
  });

  it('lets everything through again once it is reset, and keeps the first refusal till then', async () => {
    const { breaker, refuse, clock } = made();
    await refuse(serviceError('Unauthorized', { message: 'first' }), user);
    await refuse(serviceError('Unauthorized', { message: 'second' }), user);
    expect(breaker.refusal(submission)).toMatchObject({ message: 'first' });
    breaker.reset();
    expect(breaker.refusal(reading)).toBeUndefined();
    expect(clock.pending()).toBe(0);
  });

  it('tells each call of its own endpoint and job', async () => {
    const { breaker, refuse } = made();
    const first = { status: 401, endpoint: 'GET /api/job/a/status', promptId: 'a', sample: 'a' };
    await refuse(serviceError('Unauthorized', first), reading);
    expect(breaker.refusal(reading)).toMatchObject({
      status: 401,
      endpoint: 'GET /api/job/b/status',
      promptId: 'b',
    });
    expect(breaker.refusal(reading)).not.toHaveProperty('sample');
    expect(breaker.refusal(submission)).not.toHaveProperty('promptId');
  });

  it('takes no stop from an attempt that began before it was reset, and calls its refusal outdated', async () => {
    const { breaker, tags } = made();
    const [one, other] = [breaker.attempt(reading), breaker.attempt(reading)];
    const confirming = breaker.confirm(unauthorized, reading);
    breaker.reset();
    await confirming;
    expect(one.failed(unauthorized, 2)).toBe('outdated');
    expect(other.failed(serviceError('NotFound', {}), 0)).toBeUndefined();
    expect(tags()).toEqual(['none']);
  });

  it('E23: has one call confirm, and the others wait for its end', async () => {
    const { breaker } = made();
    const { end } = breaker.confirmations.begin()!;
    expect(breaker.confirmations.begin()).toBeUndefined();
    const over = breaker.confirmations.over()!.then(() => 'over');
    end();
    expect(await over).toBe('over');
    expect(breaker.confirmations.over()).toBeUndefined();
    const next = breaker.confirmations.begin()!;
    end();
    expect(breaker.confirmations.over()).toBeDefined();
    next.end();
  });

  it('E23: has another call confirm where one gets no answer for 15 s', async () => {
    const { breaker, clock } = made();
    const { end } = breaker.confirmations.begin()!;
    await clock.advance(14_999);
    expect(breaker.confirmations.begin()).toBeUndefined();
    await clock.advance(1);
    expect(breaker.confirmations.over()).toBeUndefined();
    expect(breaker.confirmations.begin()).toBeDefined();
    end();
    expect(breaker.confirmations.over()).toBeDefined();
  });

  it('E23: goes on to have one call confirm where it asks again, however late its timer runs', () => {
    const { breaker, clock } = made();
    const { asksAgain } = breaker.confirmations.begin()!;
    clock.block(60_000);
    asksAgain();
    expect(breaker.confirmations.over()).toBeDefined();
    expect(breaker.confirmations.begin()).toBeUndefined();
  });

  it('E23: has a call that was passed over confirm again where the one after it is passed over as well', () => {
    const { breaker, clock } = made();
    const first = breaker.confirmations.begin()!;
    clock.block(15_000);
    const second = breaker.confirmations.begin()!;
    clock.block(15_000);
    first.asksAgain();
    expect(breaker.confirmations.begin()).toBeUndefined();
    second.end();
    expect(breaker.confirmations.over()).toBeDefined();
    first.end();
    expect(breaker.confirmations.over()).toBeUndefined();
  });

  it('E24: lets another read find out where the first one met a stray page', async () => {
    const { breaker, refuse } = made();
    await refuse(unauthorized, user);
    expect(
      breaker.attempt(reading).failed(serviceError('Decode', { status: 200, reason: 'html' }), 0),
    ).toBeUndefined();
    expect(breaker.refusal(reading)).toBeUndefined();
    breaker.attempt(reading);
    expect(breaker.refusal(reading)).toMatchObject({ _tag: 'Unauthorized' });
  });

  it('leaves nothing when it is closed, and takes no refusal in any more', async () => {
    const { breaker, refuse, clock, isComplete, tags } = made();
    await refuse(unauthorized, user);
    breaker.close();
    expect(isComplete()).toBe(true);
    expect(clock.pending()).toBe(0);
    breaker.reset();
    await refuse(unauthorized, user);
    expect(clock.pending()).toBe(0);
    expect(tags()).toEqual(['none', 'auth']);
  });

  it('takes in no refusal whose check is answered after it is closed', async () => {
    let answer: (told: E.Either<ServiceError, unknown>) => void = () => undefined;
    const { breaker, clock } = made({ probe: () => new Promise((resolve) => (answer = resolve)) });
    const confirmed = breaker.confirm(unauthorized, reading);
    breaker.close();
    answer(E.left(unauthorized));
    await confirmed;
    expect(clock.pending()).toBe(0);
    expect(breaker.refusal(reading)).toBeUndefined();
  });

  it('E25: holds no program open by the wait for the next question', async () => {
    const clock = virtualClock();
    const waits: unknown[] = [];
    const after: typeof clock.after = (delayMs, work, options) => {
      waits.push(options);
      return clock.after(delayMs, work);
    };
    const { refuse } = made({ clock: { ...clock, after } });
    await refuse(unauthorized, user);
    expect(waits).toEqual([{ background: true }]);
  });

  it('keeps the first refusal and its time, and asks once, however often the key or the plan is refused', async () => {
    const { breaker, refuse, clock, stops } = made();
    const first = clock.wall();
    await breaker.confirm(unauthorized, user);
    await breaker.confirm(untyped429, submission);
    await clock.advance(5);
    await breaker.confirm(worded, user);
    await breaker.confirm(serviceError('InsufficientCredits', {}), submission);
    expect(stops.map((stop) => ('since' in stop ? stop.since : undefined))).toEqual([undefined, first]);
    expect(clock.pending()).toBe(1);
    breaker.reset();
    await refuse(untyped429, submission);
    await clock.advance(59_999);
    await breaker.confirm(untyped429, submission);
    await clock.advance(1);
    expect(breaker.refusal(submission)).toBeUndefined();
  });

  it('takes a refusal of the plan in while the key is refused, and of the key while the plan is', async () => {
    const { breaker, refuse, tags, acceptKey, clock } = made();
    await refuse(unauthorized, user);
    expect(await refuse(serviceError('InsufficientCredits', { status: 402 }), submission)).toBe(1);
    acceptKey();
    await clock.advance(300_000);
    expect(tags()).toEqual(['none', 'auth', 'billing']);
    expect(breaker.attempt(reading).failed(unauthorized, 0)).toBe('doubtful');
  });

  describe('while the key is refused to submissions', () => {
    const stopped = async () => {
      const it = made();
      await it.refuse(unauthorized, user);
      return { ...it, isSent: () => it.breaker.refusal(reading) === undefined };
    };

    it('E24: finds out by no submission', async () => {
      const { breaker, isSent } = await stopped();
      breaker.attempt(submission);
      expect(isSent()).toBe(true);
    });

    it('E24: sends every read after one that was answered, until one is refused as the key was', async () => {
      const { breaker, isSent } = await stopped();
      breaker.attempt(reading).failed(serviceError('NotFound', { status: 404 }), 0);
      const [one, other] = [breaker.attempt(reading), breaker.attempt(reading)];
      expect(isSent()).toBe(true);
      expect(breaker.attempt(submission).failed(unauthorized, 0)).toBeUndefined();
      expect(other.failed(serviceError('Forbidden', { status: 403 }), 0)).toBeUndefined();
      expect(isSent()).toBe(true);
      expect(one.failed(worded, 0)).toBeUndefined();
      expect(isSent()).toBe(false);
    });

    it('E10: sends no read once a read is found to be refused with the key', async () => {
      const { breaker, isSent } = await stopped();
      await breaker.confirm(unauthorized, reading);
      expect(isSent()).toBe(false);
    });

    it('E24: takes only the one read that finds out for the answer', async () => {
      const { breaker, isSent } = await stopped();
      const submitted = breaker.attempt(submission);
      const [finding, before] = [breaker.attempt(reading), breaker.attempt(reading)];
      before.succeeded();
      submitted.succeeded();
      expect(isSent()).toBe(false);
      finding.succeeded();
      expect(isSent()).toBe(true);
    });

    it('E24: takes no answer of before a reset for the stop that came after it', async () => {
      const { breaker, refuse, isSent } = await stopped();
      const finding = breaker.attempt(reading);
      breaker.reset();
      await refuse(unauthorized, reading);
      finding.succeeded();
      expect(isSent()).toBe(false);
      finding.failed(serviceError('NotFound', { status: 404 }), 0);
      expect(isSent()).toBe(false);
    });
  });

  it('E26: ends a billing stop by no read and by no submission sent before it, and reports one end', async () => {
    const { breaker, refuse, tags, ended, clock } = made();
    breaker.attempt(reading).succeeded();
    breaker.attempt(submission).succeeded();
    expect(ended()).toBe(0);
    await refuse(untyped429, submission);
    await clock.advance(60_000);
    breaker.attempt(reading).succeeded();
    expect(breaker.refusal(submission)).toBeUndefined();
    const [one, other] = [breaker.attempt(submission), breaker.attempt(submission)];
    one.succeeded();
    expect([tags(), ended()]).toEqual([['none', 'billing', 'none'], 1]);
    await refuse(untyped429, submission);
    other.succeeded();
    expect([tags(), ended()]).toEqual([['none', 'billing', 'none', 'billing'], 1]);
  });

  it('lets every read through a billing stop, and none of them try it', async () => {
    const { breaker, refuse, clock } = made();
    await refuse(untyped429, submission);
    await clock.advance(60_000);
    breaker.attempt(reading);
    expect([breaker.refusal(reading), breaker.refusal(submission)]).toEqual([undefined, undefined]);
  });

  it('has the key refused for a submission also where the plan may be tried again', async () => {
    const { breaker, refuse, clock } = made();
    await refuse(untyped429, submission);
    await refuse(unauthorized, user);
    await clock.advance(60_000);
    expect(breaker.refusal(submission)).toMatchObject({ _tag: 'Unauthorized' });
  });

  it('takes no success of before a reset for an accepted key', async () => {
    const { breaker, refuse } = made();
    const before = breaker.attempt(reading);
    breaker.reset();
    before.succeeded();
    expect(await refuse(worded, reading)).toBe(1);
  });

  it('forgets at a reset that the key was accepted, which routes refuse, and who confirms', async () => {
    const { breaker, refuse, acceptKey, probes } = made();
    acceptKey();
    breaker.attempt(reading).succeeded();
    await refuse(worded, reading);
    breaker.confirmations.begin();
    const over = breaker.confirmations.over()!.then(() => 'over');
    breaker.reset();
    expect(await over).toBe('over');
    expect(breaker.confirmations.over()).toBeUndefined();
    expect(breaker.confirmations.begin()).toBeDefined();
    expect([await refuse(worded, reading), probes()]).toEqual([1, 2]);
  });

  describe('the question for the key that is under way', () => {
    const asked = async () => {
      const answers: ((answer: E.Either<ServiceError, unknown>) => void)[] = [];
      const it = made({ probe: () => new Promise((resolve) => answers.push(resolve)) });
      await it.breaker.confirm(unauthorized, user);
      await it.clock.advance(300_000);
      expect(answers).toHaveLength(1);
      return { ...it, answer: answers[0]! };
    };

    it('E25: says nothing of a stop that came after a reset', async () => {
      for (const told of [E.right({}), E.left(unauthorized)]) {
        const { breaker, clock, answer, tags, ended } = await asked();
        breaker.reset();
        await breaker.confirm(unauthorized, user);
        answer(told);
        await clock.advance(0);
        expect([tags(), ended(), clock.pending()]).toEqual([['none', 'auth', 'none', 'auth'], 0, 1]);
      }
    });

    it('E25: is followed by none once the breaker is closed', async () => {
      for (const told of [E.right({}), E.left(unauthorized)]) {
        const { breaker, clock, answer, ended } = await asked();
        breaker.close();
        answer(told);
        await clock.advance(0);
        expect([ended(), clock.pending()]).toEqual([0, 0]);
      }
    });
  });

  it('takes no refusal of the plan in once it is closed', async () => {
    const { breaker, refuse } = made();
    breaker.close();
    await refuse(untyped429, submission);
    expect(breaker.refusal(submission)).toBeUndefined();
  });

  it('blames the route alone for one kind of refusal, and no other route', async () => {
    const { refuse, acceptKey, breaker } = made();
    acceptKey();
    await refuse(unauthorized, reading);
    const history = { ...reading, path: '/api/history_v2/b' };
    const post = { ...reading, method: 'POST' } as const;
    for (const call of [history, post])
      expect(breaker.attempt(call).failed(unauthorized, 0)).toBe('doubtful');
    expect(breaker.attempt(reading).failed(serviceError('Forbidden', {}), 0)).toBe('doubtful');
    expect(breaker.attempt(reading).failed(unauthorized, 0)).toBeUndefined();
  });

  it('blames the route alone without a question where it forbids', async () => {
    const { refuse, probes, tags, breaker } = made();
    const forbidden = serviceError('Forbidden', { status: 403 });
    await refuse(forbidden, reading);
    expect([probes(), tags()]).toEqual([0, ['none']]);
    expect(breaker.attempt(reading).failed(forbidden, 0)).toBeUndefined();
  });

  it('blames no route by an answer that came after a reset', async () => {
    for (const call of [submission, reading]) {
      const { breaker, acceptKey, tags } = made();
      acceptKey();
      const confirming = breaker.confirm(unauthorized, call);
      breaker.reset();
      await confirming;
      expect(breaker.attempt(call).failed(unauthorized, 2)).toBe('confirmed');
      expect(tags()).toEqual(['none']);
    }
  });

  it('says of a refusal that it tells again what the first one said', async () => {
    const { breaker, refuse } = made();
    const first = { message: 'm', hint: 'h', retry: 'after', status: 402, errorType: 'X' } as const;
    await refuse(serviceError('InsufficientCredits', first), submission);
    expect(breaker.refusal({ ...submission, promptId: 'c' })).toMatchObject({
      ...first,
      _tag: 'InsufficientCredits',
      endpoint: 'POST /api/prompt',
      promptId: 'c',
    });
  });
});
