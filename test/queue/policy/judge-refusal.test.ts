import { expect, it } from 'vitest';
import { judgeRefusal } from '../../../src/server/queue/policy/judge-refusal.js';

it.each([
  ['OutcomeUnknown', 'never', 'open'],
  ['Network', 'unknown outcome', 'open'],
  ['Unauthorized', 'unknown outcome', 'open'],
  ['Unauthorized', 'never', 'account'],
  ['Forbidden', 'never', 'account'],
  ['InsufficientCredits', 'after', 'account'],
  ['SubscriptionInactive', 'never', 'account'],
  ['InvalidConfig', 'never', 'account'],
  ['Aborted', 'never', 'stopped'],
  ['Closed', 'never', 'stopped'],
  ['Draining', 'after', 'stopped'],
  ['RateLimited', 'after', 'later'],
  ['BadRequest', 'never', 'job'],
  ['TooLarge', 'safe', 'job'],
] as const)('judges %s with the retry class %s as %s', (_tag, retry, judgement) => {
  expect(judgeRefusal({ _tag, retry: retry as never })).toBe(judgement);
});
