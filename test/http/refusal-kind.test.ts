import { describe, expect, it } from 'vitest';
import { isDoubtful, refusalKind, saysNothing } from '../../src/http/refusal-kind.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';

describe('refusalKind', () => {
  it.each([
    ['Unauthorized', 'auth'],
    ['Forbidden', 'auth'],
    ['InsufficientCredits', 'billing'],
    ['SubscriptionInactive', 'billing'],
    ['RateLimited', undefined],
    ['NotFound', undefined],
  ] as const)('of %s is %s', (_tag, kind) => {
    expect(refusalKind({ _tag })).toBe(kind);
  });
});

describe('isDoubtful', () => {
  const always = { repeat: 'always' } as const;
  const submission = { repeat: 'submission' } as const;
  const never = { repeat: 'never' } as const;
  const plan = serviceError('SubscriptionInactive', {});
  const wordedPlan = serviceError('SubscriptionInactive', { errorType: 'X' });
  const key = serviceError('Unauthorized', {});
  const wordedKey = serviceError('Forbidden', { errorType: 'X' });
  const credits = serviceError('InsufficientCredits', {});

  it.each([
    ['E22: a 429 without a word', plan, always, false, true],
    ['E22: a 429 without a word, of a submission', plan, submission, false, true],
    ['a 429 with a word', wordedPlan, always, true, false],
    ['a 429 of a call that is never repeated', plan, never, false, false],
    ['E22: a read without a word', key, always, false, true],
    ['E27: a submission without a word', key, submission, true, false],
    ['a read with a word', wordedKey, always, false, false],
    ['E22: a read with a word, where the key was accepted', wordedKey, always, true, true],
    ['a call that is never repeated', key, never, true, false],
    ['an empty account', credits, always, true, false],
  ])('%s', (_, error, call, isKeyAccepted, expected) => {
    expect(isDoubtful(error, call, isKeyAccepted)).toBe(expected);
  });
});

describe('saysNothing', () => {
  const more = { nodeErrors: {}, reason: 'x', code: 'x', sent: true };

  it.each([
    ['BadRequest', true],
    ['UnexpectedStatus', true],
    ['ProtocolChanged', true],
    ['Decode', true],
    ['TooLarge', true],
    ['NotFound', false],
    ['Network', false],
    ['Unauthorized', false],
  ] as const)('E22: of %s is %s, and false with a word of the service', (tag, expected) => {
    expect(saysNothing(serviceError(tag, more))).toBe(expected);
    expect(saysNothing(serviceError(tag, { ...more, errorType: 'X' }))).toBe(false);
  });
});
