import { describe, expect, it } from 'vitest';
import { stopSwitch } from '../../src/http/stop.js';
import type { ServiceErrorTag } from '../../src/protocol/errors/errors.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';

const submission = { repeat: 'submission', method: 'POST', path: '/api/prompt' } as const;
const reading = { repeat: 'always', method: 'GET', path: '/api/job/b/status', promptId: 'b' } as const;
const refused = (tag: 'Unauthorized' | 'InsufficientCredits' | 'SubscriptionInactive') =>
  serviceError(tag, {});

describe('stopSwitch', () => {
  it('lets everything through at first', () => {
    const stop = stopSwitch();
    expect(stop.refusal(submission)).toBeUndefined();
    expect(stop.refusal(reading)).toBeUndefined();
  });

  it('E10: stops every call after a refused key', () => {
    const stop = stopSwitch();
    const error = refused('Unauthorized');
    stop.attempt()(error);
    expect(stop.refusal(submission)).toMatchObject({ _tag: error._tag, message: error.message });
    expect(stop.refusal(reading)).toMatchObject({ _tag: error._tag, message: error.message });
  });

  it.each(['InsufficientCredits', 'SubscriptionInactive'] as const)(
    'E7, E9: stops submissions only after %s',
    (tag) => {
      const stop = stopSwitch();
      const error = refused(tag);
      stop.attempt()(error);
      expect(stop.refusal(submission)).toMatchObject({ _tag: error._tag, message: error.message });
      expect(stop.refusal(reading)).toBeUndefined();
    },
  );

  it.each<ServiceErrorTag>([
    'Forbidden',
    'NotFound',
    'QueueFull',
    'RateLimited',
    'ServerError',
    'BadRequest',
  ])('does not stop after %s', (tag) => {
    const stop = stopSwitch();
    stop.attempt()(serviceError(tag, { nodeErrors: {} }));
    expect(stop.refusal(submission)).toBeUndefined();
  });

  it('lets everything through again once cleared, and keeps the first refusal till then', () => {
    const stop = stopSwitch();
    stop.attempt()(serviceError('Unauthorized', { message: 'first' }));
    stop.attempt()(serviceError('Unauthorized', { message: 'second' }));
    expect(stop.refusal(reading)).toMatchObject({ message: 'first' });
    stop.clear();
    expect(stop.refusal(reading)).toBeUndefined();
  });

  it('tells each call of its own endpoint and job', () => {
    const stop = stopSwitch();
    stop.attempt()(
      serviceError('Unauthorized', {
        status: 401,
        endpoint: 'GET /api/job/a/status',
        promptId: 'a',
        sample: 'a',
      }),
    );
    expect(stop.refusal(reading)).toMatchObject({
      status: 401,
      endpoint: 'GET /api/job/b/status',
      promptId: 'b',
    });
    expect(stop.refusal(reading)).not.toHaveProperty('sample');
    expect(stop.refusal(submission)).not.toHaveProperty('promptId');
  });

  it('takes no stop from an attempt that began before it was cleared, and calls its refusal outdated', () => {
    const stop = stopSwitch();
    const [isOutdated, other] = [stop.attempt(), stop.attempt()];
    stop.clear();
    expect(isOutdated(refused('Unauthorized'))).toBe(true);
    expect(other(serviceError('NotFound', {}))).toBe(false);
    expect(stop.refusal(reading)).toBeUndefined();
    expect(stop.attempt()(refused('Unauthorized'))).toBe(false);
    expect(stop.refusal(reading)).toBeDefined();
  });
});
