import { describe, expect, it } from 'vitest';
import { exitOfError } from '../../src/cli/exit-of-error.js';
import { exitOfJob } from '../../src/cli/exit-of-job.js';
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
  ] as const)('%s is %s', (tag, exit) => {
    expect(exitOfError(serviceError(tag, { message: 'x' }), 'call')).toBe(exit);
    expect(exitOfError(serviceError(tag, { message: 'x' }), 'submit')).toBe(exit);
  });

  it('a refused request is about the workflow only while it is submitted', () => {
    const refused = serviceError('BadRequest', { message: 'x', nodeErrors: {} });
    expect([exitOfError(refused, 'submit'), exitOfError(refused, 'call')]).toEqual([
      'invalidWorkflow',
      'unexpected',
    ]);
  });

  it('whatever stops a download is a download, except the key and the plan', () => {
    const network = serviceError('Network', { message: 'x', code: 'ECONNRESET', sent: true });
    expect([exitOfError(network, 'watch'), exitOfError(network, 'download')]).toEqual([
      'network',
      'download',
    ]);
    expect(exitOfError(serviceError('Unauthorized', { message: 'x' }), 'download')).toBe('auth');
  });
});

describe('exitOfJob', () => {
  it.each([
    ['completed', 'done'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['untraceable', 'untraceable'],
    ['in_progress', 'unexpected'],
  ] as const)('%s is %s', (phase, exit) => {
    expect(exitOfJob({ phase })).toBe(exit);
  });
});
