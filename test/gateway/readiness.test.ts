import { describe, expect, it } from 'vitest';
import { createGateway, type GatewayOptions, memoryJobIndex } from '../../src/gateway.js';
import { left, right } from '../../src/core/protocol/either.js';
import type { Client } from '../../src/client/client-types.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const answering = (answer: unknown): Client =>
  ({ rest: { jobStatus: () => () => Promise.resolve(answer) } }) as unknown as Client;

const fullDisk = () => Promise.reject(serviceError('FileSystem', { code: 'ENOSPC', path: '/data' }));

/** What `/readyz` answers. */
const readyz = async (options: Partial<GatewayOptions>) => {
  const clock = virtualClock();
  await using gateway = createGateway({
    ...{ client: answering(right({})), authorize: () => ({ name: 'ann' }), clock, ...options },
  });
  const answer = await clock.until(gateway.fetch(new Request('http://h/readyz')));
  const { detail, ...body } = (await answer.json()) as Record<string, unknown>;
  return [answer.status, detail ?? body, answer.headers.get('retry-after')];
};

describe('the readiness of a gateway', () => {
  it('T7 is asked of its service and of its index, each of which is named where it fails', async () => {
    const index = memoryJobIndex();
    expect(await readyz({ index })).toEqual([200, { status: 'ready' }, null]);
    const away = answering(left(serviceError('Network', { code: 'ECONNREFUSED', sent: false })));
    expect(await readyz({ index, client: away })).toEqual([
      ...[503, 'The service does not answer, or refuses the key of this gateway.', '5'],
    ]);
    for (const probe of [fullDisk, () => new Promise<never>(() => undefined)])
      expect(await readyz({ index: { ...index, probe } })).toEqual([
        ...[503, 'The gateway can store no change: its disk or its Redis server may be full, or away.', '5'],
      ]);
  });

  it('T9 counts what could not be read', async () => {
    for (const damaged of [1, 3])
      expect(await readyz({ index: { ...memoryJobIndex(), damaged: () => damaged } })).toEqual([
        ...[200, { status: 'ready', damaged }, null],
      ]);
    expect(await readyz({ index: { ...memoryJobIndex(), damaged: () => 0 } })).toEqual([
      ...[200, { status: 'ready' }, null],
    ]);
  });

  it('T7 is lost with new work, which gets 503 and Retry-After', async () => {
    const errors: unknown[] = [];
    await using gateway = createGateway({
      ...{ client: answering(right({})), authorize: () => ({ name: 'ann' }) },
      index: { ...memoryJobIndex(), add: fullDisk },
      onError: (error) => errors.push(error),
    });
    const body = JSON.stringify({ workflow: { 1: { class_type: 'A', inputs: {} } } });
    const answer = await gateway.fetch(new Request('http://h/api/v2/jobs', { method: 'POST', body }));
    expect([answer.status, answer.headers.get('retry-after'), errors]).toMatchObject([
      ...[503, '5', [{ _tag: 'FileSystem', code: 'ENOSPC' }]],
    ]);
    expect(await answer.json()).toMatchObject({ error: { code: 'not_stored' } });
  });

  it('T7 of an index in memory changes nothing', async () => {
    const index = memoryJobIndex();
    await index.probe?.();
    expect(await index.list(undefined, { limit: 9 })).toEqual([]);
  });
});
