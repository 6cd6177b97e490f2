import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { opened, playedGateway, submitted, workflow } from '../support.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import type { StreamStart } from '../../../src/server/gateway/model/gateway-jobs.js';

const kibi = 1024;

/** The stream of a job whose outputs have a text of so many characters, and what is held for its reader. */
const streamOf = async (
  characters: number,
  { most = Infinity, from }: { most?: number } & StreamStart = {},
) => {
  const gateway = await playedGateway();
  const { jobs, service, clock } = gateway;
  const { record } = await submitted(gateway);
  const outputs = { 2: { text: ['x'.repeat(characters)] } } as unknown as JobState['outputs'];
  const state = { ...initialJobState({ promptId: 'p1', workflow }), outputs };
  service.jobs[0]!.move({ ...state, phase: 'completed', outputsComplete: true });
  await clock.advance(0);
  const held = { bytes: 0, ends: 0 };
  const stream = await opened(
    { jobs },
    { owner: record.owner, jobId: record.id },
    { view: 'native', format: 'sse', base: 'http://gateway.test' },
    { from },
    {
      ended: () => void (held.ends += 1),
      hold: {
        add: (bytes) => {
          if (held.bytes + bytes > most) throw new Error('too much');
          held.bytes += bytes;
        },
        release: () => void (held.bytes = 0),
      },
    },
  );
  return { clock, held, reader: stream.getReader() };
};

describe('T4 what a reader of a stream has got and not taken', () => {
  it.each([undefined, 'start'] as const)(
    'counts where it is large, until the reader asks for more: %s',
    async (from) => {
      const { held, reader } = await streamOf(300 * kibi, { from });
      let most = 0;
      let bytes = 0;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        most = Math.max(most, held.bytes);
        bytes += value.length;
        if (held.bytes > 0) expect(held.ends).toBe(0);
      }
      expect([most > 300 * kibi, bytes > 300 * kibi, held]).toEqual([true, true, { bytes: 0, ends: 1 }]);
    },
  );

  it('does not count where it is small', async () => {
    const { held, reader } = await streamOf(kibi);
    await reader.read();
    expect(held.bytes).toBe(0);
    await reader.cancel();
  });

  it('is given up after 30 seconds, also where nothing new happens', async () => {
    const { clock, held, reader } = await streamOf(300 * kibi);
    await reader.read();
    await clock.advance(29_000);
    expect(held.ends).toBe(0);
    await clock.advance(1_000);
    expect(held.ends).toBe(1);
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
  });

  it('is not given where the caller may hold no more: the stream is cut', async () => {
    const { held, reader } = await streamOf(300 * kibi, { most: 200 * kibi });
    await expect(reader.read()).rejects.toThrow('too much');
    expect(held).toEqual({ bytes: 0, ends: 1 });
  });
});
