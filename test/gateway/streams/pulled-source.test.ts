import { alice, life, opened, playedGateway, submitted } from '../support.js';
import { type ByteSource, sourceOf } from '../../../src/server/gateway/streams/pull-body.js';
import { describe, expect, it } from 'vitest';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { settle } from '../../helpers/settle.js';

/** The source of a stream of one job from its start, as a server takes it that writes to sockets itself; its log waits while it is closed. */
const aSource = async () => {
  const log = memoryEventLog();
  const reads = { now: 0, most: 0, all: 0 };
  let open = (): void => undefined;
  let gate: Promise<void> | undefined;
  const gateway = await playedGateway({
    log: {
      ...log,
      read: async (...args) => {
        reads.now += 1;
        reads.all += 1;
        reads.most = Math.max(reads.most, reads.now);
        await gate;
        reads.now -= 1;
        return log.read(...args);
      },
    },
  });
  const { record } = await submitted(gateway);
  const leave = new AbortController();
  const stream = await opened(
    gateway,
    { owner: alice.name, jobId: record.id },
    { view: 'native', format: 'ndjson', base: '' },
    { from: 'start' },
    { aborted: leave.signal },
  );
  const got: string[] = [];
  const source: ByteSource = sourceOf(stream)!;
  source.to({
    write: (chunks) => {
      const text = Buffer.concat(chunks).toString();
      if (text === '\n') {
        got.push('alive');
        return;
      }
      const events = text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly event: string }).event);
      got.push(...events.filter((event) => event !== 'progress'));
    },
    close: () => void got.push('closed'),
    error: () => void got.push('error'),
  });
  const shut = (): void => void (gate = new Promise((resolve) => (open = resolve)));
  return { gateway, source, got, reads, leave, shut, open: () => open() };
};

describe('the source of a stream', () => {
  it('reads the log once at a time, however often it is asked and whatever becomes known meanwhile', async () => {
    const { gateway, source, got, reads, shut, open } = await aSource();
    reads.most = 0;
    shut();
    source.pull();
    source.pull();
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    await settle();
    source.pull();
    expect([reads.most, got]).toEqual([1, []]);
    open();
    await settle();
    source.pull();
    await settle();
    expect([reads.most, got]).toEqual([1, ['submitted', 'status']]);
  });

  it('gives nothing before it is asked, and no more than once for each time', async () => {
    const { gateway, source, got } = await aSource();
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    await settle();
    expect(got).toEqual([]);
    source.pull();
    await settle();
    const first = got.length;
    gateway.service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    expect([first > 0, got.length]).toEqual([true, first]);
    source.cancel();
  });

  it('gives a sign of life after 15 s in which it gave nothing else', async () => {
    const { gateway, source, got } = await aSource();
    source.pull();
    await settle();
    source.pull();
    await gateway.clock.advance(10_000);
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    await settle();
    source.pull();
    await gateway.clock.advance(14_999);
    expect(got).toEqual(['submitted', 'status']);
    await gateway.clock.advance(1);
    expect(got).toEqual(['submitted', 'status', 'alive']);
    source.cancel();
  });

  it('leaves no timer behind, whatever it waited for', async () => {
    const before = await aSource();
    before.source.cancel();
    const without = before.gateway.clock.pending();
    const { gateway, source } = await aSource();
    // What it does not ask for has to be taken in time.
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    await settle();
    expect(gateway.clock.pending()).toBe(without + 2);
    source.cancel();
    expect(gateway.clock.pending()).toBe(without);
  });

  it('gives nothing and reads nothing once its reader has left, also where it is asked then', async () => {
    const { gateway, source, got, reads, leave } = await aSource();
    source.pull();
    await settle();
    leave.abort();
    const before = reads.all;
    source.pull();
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    source.pull();
    await settle();
    // By now there is more that it has not.
    source.pull();
    await settle();
    expect([got, reads.all]).toEqual([['submitted', 'closed'], before]);
  });
});
