import { describe, expect, it, onTestFinished } from 'vitest';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { filePorts } from '../../../src/gateway/node/index.js';
import { playedGateway, playedService, life, submitted } from '../support.js';
import { playedTarget, secret } from '../webhooks/support.js';
import { webhookKinds } from '../../../src/gateway/webhooks/webhook-kinds.js';

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-webhooks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const record = (owner: string) => ({
  ...{ owner, url: 'https://target.example/', events: webhookKinds, secrets: [secret] },
  ...{ createdAt: 1, from: 'a-0' },
});

describe('the file of webhooks', () => {
  it('keeps webhooks and their progress over a restart, also once it is written anew', async () => {
    const folder = await newFolder();
    const first = await filePorts(folder, { sync: false });
    const { webhookStore: store } = first;
    await store.put(record('alice'));
    await store.put(record('bob'));
    await store.progressed('alice', 'gone', { position: 'a-1' });
    for (let at = 1; at <= 1_500; at += 1) await store.progressed('alice', 'a', { position: `a-${at}` });
    await store.forget('alice', 'gone');
    await store.put({ ...record('alice'), parked: { at: 2, reason: 'it answered 410: it is gone' } });
    await store.remove('bob');
    await first.close();
    const path = join(folder, 'webhooks.jsonl');
    expect((await readFile(path, 'utf8')).split('\n').length).toBeLessThan(1_000);
    expect((await stat(path)).mode & 0o077).toBe(0);

    const second = await filePorts(folder, { sync: false });
    expect(await second.webhookStore.all()).toEqual([
      {
        record: { ...record('alice'), parked: { at: 2, reason: 'it answered 410: it is gone' } },
        progress: new Map([['a', { position: 'a-1500' }]]),
      },
    ]);
    await second.close();
  });

  it('lets a gateway go on after a restart with what had not arrived', async () => {
    const folder = await newFolder();
    const ports = await filePorts(folder, { sync: false });
    const never = playedTarget(({ type }) => (type === 'job.submitted' ? 200 : new Promise(() => undefined)));
    const first = await playedGateway({ ...ports, webhooks: { sender: never } });
    await first.jobs.webhooks!.put('alice', {
      ...{ url: 'https://target.example/', events: webhookKinds, secrets: [secret] },
    });
    const { record: job } = await submitted(first);
    const played = first.service.jobs[0]!;
    for (const state of life(played.promptId)) played.move(state);
    await never.got(2);
    await first.jobs.close();

    const target = playedTarget();
    const again = await filePorts(folder, { sync: false });
    const second = await playedGateway({ ...again, webhooks: { sender: target } }, playedService());
    await target.got(4);
    expect(target.received.map(({ type }) => type)).toEqual([
      ...['job.status', 'job.output', 'job.output', 'job.ended'],
    ]);
    expect(target.received[0]?.id).toBe(never.received[1]?.id);
    expect(target.received.every((one) => one.job === job.id)).toBe(true);
    await second.jobs.close();
  });
});
