import { describe, expect, it } from 'vitest';
import { filePorts } from '../../../src/gateway-node.js';
import { newFolder } from './ports-in-a-folder.js';
import { playedGateway, playedService, life, submitted } from '../support.js';
import { playedTarget, secret } from '../webhooks/support.js';
import { webhookKinds } from '../../../src/core/events/webhook-kinds.js';

describe('webhooks in a folder', () => {
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
