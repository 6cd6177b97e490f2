import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { queueEndpoint, readQueue } from '../../src/core/endpoints/queue.js';

describe('queueEndpoint', () => {
  it('asks for the queue', () => {
    expect(queueEndpoint()).toMatchObject({ method: 'GET', path: '/api/queue', idempotency: 'always' });
  });
});

describe('readQueue', () => {
  it('reads jobs as the cloud lists them', () => {
    expect(
      readQueue({
        queue_running: [[1, 'a', { 9: 'a node' }, ['9'], { create_time: 1000 }]],
        queue_pending: [[2, 'b', {}, [], {}]],
      }),
    ).toEqual(
      E.right({
        running: [{ promptId: 'a', number: 1, createdAt: 1000, workflow: { 9: 'a node' } }],
        pending: [{ promptId: 'b', number: 2, workflow: {} }],
      }),
    );
  });

  it('reads jobs as a local server lists them, the next one first', () => {
    const sentWith = (number: number) => ({ client_id: 'x', create_time: number });
    const item = (number: number, id: string) => [
      number,
      id,
      {},
      { ...sentWith(number), api_key_comfy_org: 'a-key' },
      ['9'],
    ];
    const result = readQueue({
      queue_running: [],
      queue_pending: [item(-77.5, 'a'), item(13, 'b'), item(-14, 'c')],
    });
    expect(result).toEqual(
      E.right({
        running: [],
        pending: [
          { promptId: 'a', number: -77.5, createdAt: -77.5, workflow: {}, extraData: sentWith(-77.5) },
          { promptId: 'c', number: -14, createdAt: -14, workflow: {}, extraData: sentWith(-14) },
          { promptId: 'b', number: 13, createdAt: 13, workflow: {}, extraData: sentWith(13) },
        ],
      }),
    );
  });

  it('leaves out what names no job, and takes a list that is absent as empty', () => {
    const items = [null, [1], [1, 2], {}, ['?', 'a'], [1, 'b', {}, [], { create_time: 'noon' }]];
    const read = [
      { promptId: 'a', number: 0 },
      { promptId: 'b', number: 1, workflow: {} },
    ];
    expect(readQueue({ queue_running: items })).toStrictEqual(E.right({ running: read, pending: [] }));
    expect(readQueue({ queue_pending: items })).toStrictEqual(E.right({ running: [], pending: read }));
  });

  it.each([undefined, null, [], 'text', {}, { queue_running: {}, queue_pending: null }])(
    'refuses %j',
    (json) => {
      expect(E.isLeft(readQueue(json))).toBe(true);
    },
  );
});
