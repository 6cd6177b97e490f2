import { describe, expect, it } from 'vitest';
import { bodyBudget } from '../../../src/server/gateway/http/body-budget.js';
import type { HttpRefusal } from '../../../src/server/gateway/http/refusal.js';

const refusalOf = (work: () => void): unknown => {
  try {
    work();
    return 'taken';
  } catch (error) {
    const { status, message, retryAfterS } = (error as HttpRefusal).refusal;
    return [status, message, retryAfterS];
  }
};

describe('T3 T4 the bytes of bodies under way', () => {
  it('are bounded for one caller, and told to be the caller’s own', () => {
    const budget = bodyBudget(1_000);
    const [first, second] = [budget.open('ann', 100), budget.open('ann', 100)];
    first.add(60);
    expect(refusalOf(() => second.add(41))).toEqual([
      429,
      'Your requests that are under way may have 100 bytes of bodies and large answers together (limits.heldBytes of the gateway).',
      5,
    ]);
    second.add(40);
    expect(refusalOf(() => budget.open('bob', 100).add(100))).toBe('taken');
    first.release();
    first.release();
    expect(refusalOf(() => second.add(60))).toBe('taken');
  });

  it('are no fewer than were added, whatever is released', () => {
    const budget = bodyBudget(200);
    const [first, empty] = [budget.open('ann', 100), budget.open('ann', 100)];
    first.add(50);
    empty.release();
    for (let nth = 0; nth < 3; nth += 1) first.release();
    first.add(10);
    first.release();
    expect(refusalOf(() => budget.open('ann', 100).add(101))).toContain(429);
    expect(refusalOf(() => budget.open('ann', 201).add(201))).toContain(503);
    expect(refusalOf(() => budget.open('ann', 100).add(100))).toBe('taken');
  });

  it('are bounded for all callers together, and what one held is free once its request is over', () => {
    const budget = bodyBudget(150);
    const ann = budget.open('ann', 100);
    ann.add(100);
    const bob = budget.open('bob', 100);
    expect(refusalOf(() => bob.add(51))).toEqual([
      503,
      'The bodies and large answers of all callers have as many bytes as this gateway holds at once (totals.heldBytes).',
      5,
    ]);
    bob.add(50);
    bob.release();
    ann.release();
    expect(refusalOf(() => budget.open('bob', 150).add(150))).toBe('taken');
  });
});
