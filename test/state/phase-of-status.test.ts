import { describe, expect, it } from 'vitest';
import { phaseOfStatus } from '../../src/core/state/phase-of-status.js';

describe('phaseOfStatus', () => {
  it.each([
    ['submitted', 'pending'],
    ['queued_limited', 'pending'],
    ['queued_waiting', 'pending'],
    ['allocated', 'pending'],
    ['preparing', 'pending'],
    ['pending_execution', 'pending'],
    ['waiting_to_dispatch', 'pending'],
    ['pending', 'pending'],
    ['queued', 'pending'],
    ['executing', 'in_progress'],
    ['in_progress', 'in_progress'],
    ['running', 'in_progress'],
    ['success', 'completed'],
    ['completed', 'completed'],
    ['error', 'failed'],
    ['non_retryable_error', 'failed'],
    ['lost', 'failed'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['canceled', 'cancelled'],
    ['SUCCESS', 'completed'],
  ] as const)('reads %s as %s, whatever was before', (word, phase) => {
    expect(phaseOfStatus(word)).toBe(phase);
    expect(phaseOfStatus(word, 'in_progress')).toBe(phase);
  });

  it.each([
    'erroring',
    'cancel_requested',
    'cancel_pending',
    'cancelling_preparing',
    'executed',
    'retryable_error',
    'brand_new_word',
    '',
    null,
    undefined,
    7,
    '__proto__',
    'constructor',
  ])('keeps the phase before for %s', (word) => {
    expect(phaseOfStatus(word, 'pending')).toBe('pending');
    expect(phaseOfStatus(word, 'in_progress')).toBe('in_progress');
  });

  it.each([
    ['erroring', 'pending'],
    ['cancel_requested', 'pending'],
    ['brand_new_word', 'pending'],
    [undefined, 'pending'],
    ['executed', 'in_progress'],
  ] as const)('F1: claims the least where nothing was known before: %s is %s', (word, phase) => {
    expect(phaseOfStatus(word)).toBe(phase);
    expect(phaseOfStatus(word, 'submitting')).toBe(phase);
  });

  it('has no end to keep from a phase before that was one', () => {
    expect(phaseOfStatus('cancel_requested', 'completed')).toBe('pending');
  });
});
