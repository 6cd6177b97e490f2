import { describe, expect, it } from 'vitest';
import { stopSwitch } from '../../src/http/stop.js';
import type { ServiceErrorTag } from '../../src/protocol/errors.js';
import { serviceError } from '../../src/protocol/service-error.js';

const submission = { repeat: 'submission' } as const;
const reading = { repeat: 'always' } as const;
const refused = (tag: 'Unauthorized' | 'InsufficientCredits' | 'SubscriptionInactive') =>
  serviceError(tag, {});

describe('stopSwitch', () => {
  it('lets everything through at first', () => {
    const stop = stopSwitch();
    expect(stop.refusal(submission)).toBeUndefined();
    expect(stop.refusal(reading)).toBeUndefined();
  });

  it('stops every call after a refused key', () => {
    const stop = stopSwitch();
    const error = refused('Unauthorized');
    stop.note(error);
    expect(stop.refusal(submission)).toBe(error);
    expect(stop.refusal(reading)).toBe(error);
  });

  it.each(['InsufficientCredits', 'SubscriptionInactive'] as const)(
    'stops submissions only after %s',
    (tag) => {
      const stop = stopSwitch();
      const error = refused(tag);
      stop.note(error);
      expect(stop.refusal(submission)).toBe(error);
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
    stop.note(serviceError(tag, { nodeErrors: {} } as never));
    expect(stop.refusal(submission)).toBeUndefined();
  });

  it('lets everything through again once cleared, and keeps the first refusal till then', () => {
    const stop = stopSwitch();
    const first = refused('Unauthorized');
    stop.note(first);
    stop.note(refused('Unauthorized'));
    expect(stop.refusal(reading)).toBe(first);
    stop.clear();
    expect(stop.refusal(reading)).toBeUndefined();
  });
});
