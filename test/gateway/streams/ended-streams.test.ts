import { describe, expect, it } from 'vitest';
import { opened, life, playedGateway, submitted } from '../support.js';

describe('a stream of the gateway', () => {
  it.each(['end', 'cancel', 'abort', 'close', 'stall', 'revocation'] as const)(
    'says once that it has ended, by its %s',
    async (way) => {
      const gateway = await playedGateway();
      const { jobs, service, clock } = gateway;
      const { record } = await submitted(gateway);
      const leave = new AbortController();
      const revoked = new AbortController();
      let ends = 0;
      const stream = await opened(
        { jobs },
        { owner: record.owner, jobId: record.id },
        { view: 'native', format: 'sse', base: 'http://gateway.test' },
        {},
        { aborted: leave.signal, revoked: revoked.signal, ended: () => void (ends += 1) },
      );
      const reader = stream.getReader();
      await reader.read();
      expect(ends).toBe(0);
      if (way === 'end') service.jobs[0]!.move(life('p1').at(-1)!);
      if (way === 'cancel') await reader.cancel();
      if (way === 'abort') leave.abort();
      if (way === 'revocation') revoked.abort();
      if (way === 'close') await jobs.close();
      if (way === 'stall') {
        service.jobs[0]!.move(life('p1')[1]!);
        await clock.advance(30_000);
      }
      for (;;) {
        const { done } = await reader.read().catch(() => ({ done: true }));
        if (done) break;
      }
      leave.abort();
      await clock.advance(60_000);
      expect(ends).toBe(1);
    },
  );

  it('sends a sign of life after each 15 seconds of silence, and none to a reader that does not read', async () => {
    const gateway = await playedGateway();
    const { jobs, clock } = gateway;
    const { record } = await submitted(gateway);
    const stream = await opened(
      { jobs },
      { owner: record.owner, jobId: record.id },
      { view: 'native', format: 'sse', base: 'http://gateway.test' },
      {},
    );
    const reader = stream.getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    await reader.read();
    await clock.advance(60_000);
    for (let sign = 0; sign < 3; sign += 1) {
      const next = text();
      let isSent = false;
      void next.then(() => (isSent = true));
      await clock.advance(14_999);
      expect(isSent).toBe(false);
      await clock.advance(1);
      expect(await next).toBe(': keep-alive\n\n');
    }
    await reader.cancel();
  });
});
