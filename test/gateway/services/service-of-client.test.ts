import type { Client } from '../../../src/client/client-types.js';
import { describe, expect, it } from 'vitest';
import { left, right } from '../../../src/core/protocol/either.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { serviceOf } from '../../../src/server/gateway/services/service-of.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** A client that answers every call with its name and what it was given. */
const asked = (refusal?: ServiceError) => {
  const calls: unknown[][] = [];
  const answer =
    (name: string) =>
    (...given: readonly unknown[]) =>
    () => {
      calls.push([name, ...given]);
      return Promise.resolve(refusal === undefined ? right(name) : left(refusal));
    };
  const names = ['uploadImage', 'uploadMask', 'view', 'objectInfo', 'jobStatus'];
  const rest = Object.fromEntries(names.map((name) => [name, answer(name)]));
  return {
    calls,
    service: serviceOf({ rest, preflight: answer('preflight') } as unknown as Client, virtualClock()),
  };
};

const file = { filename: 'a.png', subfolder: 's', type: 'input' };
const sent = { content: new Blob(['a']), filename: 'a.png' };

describe('the service of one client', () => {
  it('has its files, node classes and checks', async () => {
    const { calls, service } = asked();
    const { signal } = new AbortController();
    const answers = [
      await service.upload(sent)(),
      await service.uploadMask(sent, file, 'any')(),
      await service.viewUpload(file, { signal })(),
      await service.viewOutput(file, { signal }, {} as never)(),
      await service.objectInfo()(),
      await service.preflight({}, { signal })(),
    ];
    expect(answers.map((answer) => answer._tag)).toEqual(Array(6).fill('Right'));
    expect(calls).toEqual([
      ['uploadImage', sent],
      ['uploadMask', sent, file, { type: 'input' }],
      ['view', file, { signal }],
      ['view', file, { signal }],
      ['objectInfo', { userModels: true }],
      ['preflight', {}, { signal }],
    ]);
  });

  it('is there where it answers for a job that does not exist, whatever it says', async () => {
    const { calls, service } = asked();
    expect([await service.isReachable(70), await service.isReachable(70)]).toEqual([true, true]);
    expect(calls.map(([name, , options]) => [name, options])).toEqual([
      ['jobStatus', { timeoutMs: 70 }],
      ['jobStatus', { timeoutMs: 70 }],
    ]);
    expect(new Set(calls.map(([, id]) => id)).size).toBe(2);
    expect(await asked(serviceError('NotFound', {})).service.isReachable(1)).toBe(true);
  });

  it.each(['Network', 'Timeout', 'ServerError', 'Closed', 'Draining', 'Unauthorized', 'Forbidden'] as const)(
    'is of no use where it answers %s',
    async (tag) => {
      const refusal = Object.assign(serviceError('NotFound', {}), { _tag: tag }) as ServiceError;
      expect(await asked(refusal).service.isReachable(1)).toBe(false);
    },
  );
});
