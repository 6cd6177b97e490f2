import { describe, expect, it } from 'vitest';
import { exitOfError, exitOfJob } from '../../src/cli/exit-code.js';
import { serviceError } from '../../src/node.js';

describe('exitOfError', () => {
  it.each([
    ['Unauthorized', 'auth'],
    ['Forbidden', 'auth'],
    ['InsufficientCredits', 'billing'],
    ['SubscriptionInactive', 'billing'],
    ['NotFound', 'untraceable'],
    ['QueueFull', 'service'],
    ['RateLimited', 'service'],
    ['ServerError', 'service'],
    ['ProtocolChanged', 'unexpected'],
    ['Timeout', 'timeout'],
    ['Network', 'network'],
  ] as const)('J7: %s is %s', (tag, exit) => {
    const error = serviceError(tag, { message: 'x', timeoutMs: 1, sent: false, code: 'X' });
    for (const stage of ['call', 'prepare', 'submit', 'watch', 'cancel', 'ended', 'serve'] as const)
      expect(exitOfError(error, stage)).toBe(exit);
  });

  it('a refused request is about the workflow only while it is submitted', () => {
    const refused = serviceError('BadRequest', { message: 'x', nodeErrors: {} });
    expect([exitOfError(refused, 'submit'), exitOfError(refused, 'call')]).toEqual([
      'invalidWorkflow',
      'unexpected',
    ]);
  });

  it.each([
    ['Unauthorized', 'auth'],
    ['Forbidden', 'auth'],
    ['InsufficientCredits', 'billing'],
    ['SubscriptionInactive', 'billing'],
  ] as const)('J7: %s is %s, also while files are fetched', (tag, exit) => {
    expect(exitOfError(serviceError(tag, { message: 'x' }), 'download')).toBe(exit);
  });

  it('whatever stops a download is a download, except the key and the plan', () => {
    const network = serviceError('Network', { message: 'x', code: 'ECONNRESET', sent: true });
    expect([exitOfError(network, 'watch'), exitOfError(network, 'download')]).toEqual([
      'network',
      'download',
    ]);
  });
});

describe('exitOfJob', () => {
  it.each([
    ['completed', 'done'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['untraceable', 'untraceable'],
    ['unknown', 'outcomeUnknown'],
    ['in_progress', 'unexpected'],
  ] as const)('%s is %s', (phase, exit) => {
    expect(exitOfJob({ phase, outputsComplete: true })).toBe(exit);
  });

  it.each([
    ['completed', 'incomplete'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ] as const)('F24: %s without a whole record is %s', (phase, exit) => {
    expect(exitOfJob({ phase, outputsComplete: false })).toBe(exit);
  });
});
