import { describe, expect, it } from 'vitest';
import { exitCodes, exitOfError, exitOfJob } from '../../src/cli/exit-code.js';
import { type ServiceError, serviceError } from '../../src/node.js';
import { unknownFailure } from '../../src/core/state/failure.js';

it('J7: each kind of end keeps its code, which scripts rely on', () => {
  const codes = Object.fromEntries(Object.entries(exitCodes).map(([name, { code }]) => [name, code]));
  expect(codes).toEqual({
    ...{ done: 0, unexpected: 1, differs: 1, usage: 2, auth: 3, billing: 4, invalidWorkflow: 5, failed: 6 },
    ...{
      cancelled: 7,
      outcomeUnknown: 8,
      untraceable: 9,
      download: 10,
      timeout: 11,
      network: 12,
      service: 13,
    },
    ...{ goesOn: 14, incomplete: 15, over: 16, SIGHUP: 129, SIGINT: 130, pipe: 141, SIGTERM: 143 },
  });
});

describe('exitOfError', () => {
  it.each([
    ['auth', ['Unauthorized', 'Forbidden']],
    ['billing', ['InsufficientCredits', 'SubscriptionInactive']],
    ['untraceable', ['NotFound']],
    ['service', ['TooLarge', 'HashMismatch', 'QueueFull', 'RateLimited', 'ServerError']],
    ['network', ['Network']],
    ['timeout', ['Timeout']],
    ['outcomeUnknown', ['OutcomeUnknown']],
    ['goesOn', ['CancelNotApplied']],
    ['download', ['DownloadFailed', 'UnsafeRedirect']],
    ['invalidWorkflow', ['InvalidWorkflow']],
    ['failed', ['JobFailed']],
    ['cancelled', ['JobCancelled']],
    ['incomplete', ['OutputsIncomplete']],
    [
      'usage',
      ['NotSupported', 'FileSystem', 'UnknownNode', 'AmbiguousNode', 'UnknownInput', 'InvalidInputs'],
    ],
    ['usage', ['InvalidRecording', 'InvalidConfig']],
    [
      'unexpected',
      ['BadRequest', 'UnexpectedStatus', 'ProtocolChanged', 'Aborted', 'Closed', 'Draining', 'Decode'],
    ],
    ['unexpected', ['Overflow', 'Defect', 'Empty']],
  ] as const)('J7: is %s for %j, and a download while files are fetched', (exit, tags) => {
    for (const _tag of tags) {
      expect([_tag, exitOfError({ _tag } as ServiceError, 'call')]).toEqual([_tag, exit]);
      const fetched = exit === 'auth' || exit === 'billing' ? exit : 'download';
      expect([_tag, exitOfError({ _tag } as ServiceError, 'download')]).toEqual([_tag, fetched]);
    }
  });

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
    const large = serviceError('TooLarge', { message: 'x' });
    expect([exitOfError(large, 'submit'), exitOfError(large, 'watch')]).toEqual([
      'invalidWorkflow',
      'service',
    ]);
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

  it.each([
    ['ValidationError', 'invalidWorkflow'],
    ['InsufficientFundsError', 'billing'],
    ['InactiveSubscriptionError', 'billing'],
    ['ValueError', 'failed'],
  ] as const)('a job that failed by %s is %s', (exceptionType, exit) => {
    const failure = { ...unknownFailure(), exceptionType };
    expect(exitOfJob({ phase: 'failed', failure, outputsComplete: true })).toBe(exit);
  });
});
