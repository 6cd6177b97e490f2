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

it.each([
  ['InsufficientCredits', 'PARTNER_NODE_PAYMENT_REQUIRED', 'job'],
  ['InsufficientCredits', 'MODEL_PAYMENT_REQUIRED', 'job'],
  ['Forbidden', 'PARTNER_NODE_DISABLED', 'job'],
  ['InsufficientCredits', 'PAYMENT_REQUIRED', 'account'],
  ['SubscriptionInactive', 'FREE_TIER_EXHAUSTED', 'account'],
  ['Forbidden', 'sso_required', 'account'],
  ['BadRequest', 'workspace_id_invalid', 'account'],
  ['BadRequest', 'prompt_no_outputs', 'job'],
] as const)('judges %s of %s as one of the %s', (_tag, errorType, judgement) => {
  expect(judgeRefusal({ _tag, retry: 'never', errorType })).toBe(judgement);
});
