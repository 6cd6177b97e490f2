import { describe, expect, it } from 'vitest';
import { firstValueFrom, of } from 'rxjs';
import type { GatewayQueue } from '../../../src/server/gateway/services/gateway-queue.js';
import { queueUpstream } from '../../../src/server/gateway/upstream/queue-upstream.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { workflow } from '../support.js';
import type { Preview } from '../../../src/core/protocol/frames/frame.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const picture: Preview = { _tag: 'Preview', nodeId: '2', mediaType: 'image/png', image: new Uint8Array([7]) };

const aQueue = (more: Partial<GatewayQueue> = {}) => {
  const calls: unknown[] = [];
  const queue: GatewayQueue = {
    add: (...args) => {
      calls.push(['add', ...args]);
      return Promise.resolve('q1');
    },
    follow: (id) => of(initialJobState({ promptId: id })),
    previews: () => of(picture),
    cancel: (id) => {
      calls.push(['cancel', id]);
      return Promise.resolve();
    },
    stats: () => Promise.resolve({}),
    ...more,
  };
  return { queue, calls };
};

describe('a queue that takes the jobs of a gateway', () => {
  it('adds a job by the id of its submission for its owner, follows and cancels it', async () => {
    const { queue, calls } = aQueue();
    const upstream = queueUpstream(queue, undefined);
    expect(upstream.submissionIds).toBe('jobs');
    const options = { submissionId: 's', owner: 'alice', extraData: { a: 1 } };
    const taken = await upstream.submit(workflow, options)();
    expect(taken).toMatchObject({ _tag: 'Right', right: { promptId: 'q1' } });
    expect(await firstValueFrom(upstream.job('q2').states)).toMatchObject({ promptId: 'q2' });
    expect(await upstream.cancel('q1')()).toMatchObject({ _tag: 'Right' });
    expect(calls).toEqual([
      ['add', workflow, { id: 's', tenant: 'alice', extraData: { a: 1 } }],
      ['cancel', 'q1'],
    ]);
    expect(await firstValueFrom(upstream.previews!('s'))).toBe(picture);
  });

  it('has the pictures that jobs sent over the socket, where the queue keeps them', async () => {
    const image = { mediaType: 'image/png', bytes: new Uint8Array([7]) };
    const asked: unknown[] = [];
    const socketImage = (...given: readonly unknown[]) => {
      asked.push(given);
      return Promise.resolve(image);
    };
    const place = { nodeId: '9', index: 0 };
    expect(await queueUpstream(aQueue({ socketImage }).queue, undefined).image?.('s', place)).toBe(image);
    expect(asked).toEqual([['s', place]]);
    expect(await queueUpstream(aQueue().queue, undefined).image?.('s', place)).toBeUndefined();
  });

  it('takes no key of a caller, has no files without a client, and passes on what the queue refuses', async () => {
    const refusal = serviceError('QueueFull', {});
    const { queue, calls } = aQueue({ cancel: () => Promise.reject(refusal) });
    const upstream = queueUpstream(queue, undefined);
    const secret = { submissionId: 's', owner: 'alice', partnerKey: 'key' };
    expect(await upstream.submit(workflow, secret)()).toMatchObject({ left: { _tag: 'NotSupported' } });
    expect(await upstream.view({ filename: 'a' }, undefined, {} as never)()).toMatchObject({
      left: { _tag: 'NotSupported' },
    });
    expect(calls).toEqual([]);
    expect(await upstream.cancel('q1')()).toEqual({ _tag: 'Left', left: refusal });
    const broken = queueUpstream(aQueue({ cancel: () => Promise.reject(new Error('bug')) }).queue, undefined);
    await expect(broken.cancel('q1')()).rejects.toThrow('bug');
    expect(() => upstream.submit(workflow, { owner: 'alice' })).toThrow('has an id');
  });
});
