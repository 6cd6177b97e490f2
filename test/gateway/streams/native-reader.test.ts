import { alice, life, opened, openReader, playedGateway, submitted } from '../support.js';
import { describe, expect, it } from 'vitest';
import { settle } from '../../helpers/settle.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import type { StreamForm } from '../../../src/server/gateway/model/gateway-jobs.js';

const idsIn = (data: Readonly<Record<string, unknown>> | undefined) =>
  (data?.['jobs'] as readonly { readonly id: string }[]).map(({ id }) => id);

describe('the snapshot of a stream', () => {
  it('has all jobs that go on and the newest fifty that are over, the newest first, and says where there are more', async () => {
    const gateway = await playedGateway();
    const ids: string[] = [];
    const submit = async (isOver: boolean): Promise<void> => {
      ids.unshift((await submitted(gateway)).record.id);
      const { promptId, move } = gateway.service.jobs.at(-1)!;
      if (isOver) move(life(promptId, 0).at(-1)!);
      await settle();
    };
    const snapshot = async (scope: object = {}) => {
      const reader = await openReader(gateway, { owner: alice.name, ...scope });
      const first = await reader.next();
      await reader.cut();
      return first;
    };
    await submit(false);
    for (let count = 0; count < 50; count += 1) await submit(true);
    const whole = await snapshot();
    expect([whole?.event, whole?.data['more'], idsIn(whole?.data)]).toEqual(['snapshot', undefined, ids]);
    await submit(true);
    const cut = await snapshot();
    // The first one goes on, and the second one is the oldest that is over.
    expect([cut?.data['more'], idsIn(cut?.data)]).toEqual([true, [...ids.slice(0, 50), ids[51]]]);
    // A stream of one job has it, however old it is.
    expect(idsIn((await snapshot({ jobId: ids[50] }))?.data)).toEqual([ids[50]]);
  });

  it('has no more ended jobs than 4 Mi characters of outputs, and shares their bytes with other readers', async () => {
    const gateway = await playedGateway();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.unshift((await submitted(gateway)).record.id);
      const { promptId, move } = gateway.service.jobs.at(-1)!;
      move({ ...life(promptId, 0).at(-1)!, outputs: { 1: { text: ['x'.repeat(1.5 * 2 ** 20)] } } });
      await settle();
    }
    const read = async () => {
      const form = { view: 'native', format: 'ndjson', base: '' } as const;
      const reader = (await opened(gateway, { owner: alice.name }, form, {})).getReader();
      const chunks: Uint8Array[] = [];
      for (let size = 0; size < 3 * 2 ** 20; size += chunks.at(-1)!.length)
        chunks.push((await reader.read()).value!);
      chunks.push((await reader.read()).value!);
      await reader.cancel();
      return chunks;
    };
    const [one, other] = [await read(), await read()];
    const { data } = JSON.parse(Buffer.concat(one).toString()) as { readonly data: Record<string, unknown> };
    expect([data['more'], idsIn(data)]).toEqual([true, ids.slice(0, 2)]);
    const large = (chunks: readonly Uint8Array[]) => chunks.filter(({ length }) => length > 2 ** 20);
    expect(large(one)).toHaveLength(2);
    for (const [at, bytes] of large(one).entries()) expect(large(other)[at]).toBe(bytes);
  });

  it('is written in slices of time, and tells of a job that went meanwhile', async () => {
    const clock = virtualClock();
    let now = 0;
    const turns: (() => void)[] = [];
    const after: typeof clock.after = (ms, work, options) => {
      if (ms > 0) return clock.after(ms, work, options);
      turns.push(work);
      return () => undefined;
    };
    const gateway = await playedGateway({ clock: { ...clock, after, now: () => (now += 20) } });
    const ids = [(await submitted(gateway)).record.id, (await submitted(gateway)).record.id];
    gateway.service.jobs[0]!.move(life(gateway.service.jobs[0]!.promptId, 0).at(-1)!);
    await settle();
    const opening = openReader(gateway, { owner: alice.name });
    await expect.poll(() => turns.length).toBe(1);
    await gateway.jobs.delete(alice, ids[0]!);
    for (let turn = 0; turn < turns.length; turn += 1) {
      turns[turn]!();
      await settle();
    }
    const reader = await opening;
    const [snapshot, deleted] = [await reader.next(), await reader.next()];
    expect(idsIn(snapshot?.data)).toEqual(ids.toReversed());
    expect(deleted).toMatchObject({ event: 'deleted', data: { job: ids[0] } });
    expect(turns.length).toBeGreaterThan(1);
  });
});

describe('the end of a stream that is not over', () => {
  const ended = async (form: Partial<StreamForm>, how: 'close' | 'revoke') => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const revoked = new AbortController();
    const stream = await opened(
      gateway,
      { owner: alice.name, jobId: record.id },
      { view: 'native', format: 'sse', base: '', ...form },
      {},
      { revoked: revoked.signal },
    );
    const [own, other] = stream.tee();
    const text = new Response(own).text();
    await other.getReader().read();
    if (how === 'close') await gateway.jobs.close();
    else revoked.abort();
    return (await text).split('\n').map((line) => line.replace(/^(id: |\{"id":")[^~]*/u, '$1'));
  };

  it('says when to come back, and where to go on', async () => {
    const sse = await ended({}, 'close');
    expect(sse.slice(4)).toEqual([
      ...['retry: 1000', 'id: ~2', 'event: reconnect', 'data: {"afterMs":1000}', '', ''],
    ]);
    const ndjson = await ended({ format: 'ndjson' }, 'close');
    expect(ndjson.slice(1)).toEqual(['{"id":"~2","event":"reconnect","data":{"afterMs":1000}}', '']);
  });

  it.each([
    ['native', 'revoked', ['code', 'message']],
    ['v2', 'error', ['error']],
  ] as const)('says that the caller may not go on, in the words of %s', async (view, event, members) => {
    const lines = await ended({ view, format: 'ndjson' }, 'revoke');
    const last = JSON.parse(lines.at(-2)!) as {
      readonly id: string;
      readonly event: string;
      readonly data: object;
    };
    expect([last.event, Object.keys(last.data), lines.at(-1)]).toEqual([event, members, '']);
    expect(JSON.stringify(last.data)).toContain('The caller may not read this stream any more.');
    expect(last.id).toMatch(/^~\d$/u);
  });
});
