import { describe, expect, it } from 'vitest';
import { errorDefaults } from '../../src/core/errors/error-defaults.js';
import { inspect } from 'node:util';
import {
  isServiceError,
  networkError,
  serviceError,
  withCandidates,
} from '../../src/core/errors/service-error.js';
import type { ServiceError } from '../../src/core/errors/errors.js';

describe('serviceError', () => {
  it('makes an Error with tag, name and the defaults of its tag', () => {
    const error = serviceError('Unauthorized', {});
    expect(error).toBeInstanceOf(Error);
    expect(error._tag).toBe('Unauthorized');
    expect(error.name).toBe('Unauthorized');
    expect(error.message).toBe(errorDefaults.Unauthorized.message);
    expect(error.hint).toBe(errorDefaults.Unauthorized.hint);
    expect(error.retry).toBe('never');
    expect(error.stack?.split('\n')[0]).toBe(`Unauthorized: ${error.message}`);
  });

  it('lets the caller override message, hint and retry, but not with undefined', () => {
    const error = serviceError('ServerError', { message: 'No.', hint: 'Wait.', retry: 'never' });
    expect([error.message, error.hint, error.retry]).toEqual(['No.', 'Wait.', 'never']);
    const plain = serviceError('ServerError', { ...{ hint: undefined, status: undefined } });
    expect(plain.hint).toBe(errorDefaults.ServerError.hint);
    expect(Object.keys(plain)).toEqual(['_tag', 'hint', 'retry']);
  });

  it('carries the details of its tag as enumerable members', () => {
    const error = serviceError('Network', { code: 'ECONNRESET', sent: true, endpoint: 'GET /api/queue' });
    expect(Object.fromEntries(Object.entries(error))).toEqual({
      _tag: 'Network',
      hint: errorDefaults.Network.hint,
      retry: 'after',
      code: 'ECONNRESET',
      sent: true,
      endpoint: 'GET /api/queue',
    });
  });

  it('serialises message and members, not stack and cause', () => {
    const error = serviceError('Decode', { reason: 'no JSON', cause: new Error('inner') });
    const json = JSON.parse(JSON.stringify(error)) as Record<string, unknown>;
    expect(json).toEqual({
      name: 'Decode',
      message: errorDefaults.Decode.message,
      _tag: 'Decode',
      hint: errorDefaults.Decode.hint,
      retry: 'never',
      reason: 'no JSON',
    });
    expect((error.cause as Error).message).toBe('inner');
  });

  it('shows tag and message when it is inspected', () => {
    expect(inspect(serviceError('Closed', {}))).toContain('Closed: The client is closed.');
  });

  it('lets its name be changed as that of any Error', () => {
    const name = Object.getOwnPropertyDescriptor(serviceError('Closed', {}), 'name');
    expect(name).toMatchObject({ value: 'Closed', configurable: true, writable: true });
  });

  it('has no cause unless one was given', () => {
    expect('cause' in serviceError('Closed', {})).toBe(false);
  });

  it('has a message, a hint and a retry class for every tag', () => {
    for (const [tag, defaults] of Object.entries(errorDefaults)) {
      expect(defaults.message, tag).toMatch(/\.$/u);
      expect(defaults.hint, tag).toMatch(/\.$/u);
    }
    const unknown = Object.entries(errorDefaults).filter(([, { retry }]) => retry === 'unknown outcome');
    expect(unknown.map(([tag]) => tag)).toEqual(['OutcomeUnknown']);
  });
});

describe('isServiceError', () => {
  it('I-11: knows its own and those of another copy of the package by their brand', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('promptwire.ServiceError')]: true });
    const candidates: readonly unknown[] = [serviceError('Closed', {}), foreign];
    expect(candidates.map(isServiceError)).toEqual([true, true]);
  });

  it('refuses everything else', () => {
    const lookalike = { _tag: 'Closed', hint: '', retry: 'never' } as unknown as ServiceError;
    expect([new Error('x'), lookalike, null, undefined, 'Closed', 1].map(isServiceError)).toEqual(
      new Array(6).fill(false),
    );
  });
});

const facts = { endpoint: 'GET /ws', code: 'ECODE', message: 'it broke', sent: false };

describe('networkError', () => {
  it('says what the system said, and otherwise what all such errors say', () => {
    expect(networkError(facts)).toMatchObject({
      ...facts,
      _tag: 'Network',
      message: 'The network failed (ECODE): it broke',
      hint: errorDefaults.Network.hint,
      retry: errorDefaults.Network.retry,
    });
  });

  it('is not to be retried where something has to be done first', () => {
    expect(networkError({ ...facts, hint: 'Mend it.' })).toMatchObject({ hint: 'Mend it.', retry: 'never' });
  });
});

describe('withCandidates', () => {
  it('adds each id once and keeps every other member', () => {
    const members = {
      message: 'Lost.',
      hint: 'Observation there.',
      endpoint: 'POST /api/prompt',
      promptId: 'p',
      startedAt: 5,
      keyUsed: true,
      cause: 'a cut',
    } as const;
    const error = serviceError('OutcomeUnknown', { ...members, candidates: ['a'] });
    const more = withCandidates(error, ['b', 'a']);
    expect(more).toMatchObject({ ...members, _tag: 'OutcomeUnknown', candidates: ['a', 'b'] });
    expect(isServiceError(more)).toBe(true);
    expect(error.candidates).toEqual(['a']);
  });
});
