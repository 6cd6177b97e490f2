import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/emulator.js';
import { allEventsOf, ask, until } from './support.js';
import { open, quick } from '../support.js';

const often = { times: 'every', chance: 0.25 } as const;

/** Something of every kind that API v2 can have, all the time; what would stall for good is left out. */
const worst: readonly Fault[] = [
  { on: 'socket', do: 'refuse', status: 503, ...often },
  { on: 'socket', do: 'headers', headers: { 'x-odd': '1' }, ...often },
  { on: 'socket', do: 'cut', after: { messages: 2 }, ...often },
  { on: 'socket', do: 'cut', how: 'fin', after: { bytes: 100 }, ...often },
  { on: 'socket', do: 'close', code: 1000, after: { messages: 1 }, ...often },
  { on: 'socket', do: 'mute', after: { messages: 3 }, ...often },
  { on: 'socket', do: 'bytes', hex: 'ff0a0a', after: { bytes: 30 }, ...often },
  { on: 'socket', do: 'stall', ms: 2, after: { messages: 1 }, ...often },
  { on: 'socket', do: 'oversize', bytes: 100_000, after: { messages: 1 }, ...often },
  { on: 'socket', do: 'flood', previewBytes: 100, after: { messages: 1 }, ...often },
  { on: 'socket', do: 'slice', sizes: [1, 50], ...often },
  { on: 'socket', do: 'latency', ms: 1, ...often },
  { on: 'socket', do: 'idle-close', ms: 5, ...often },
  { on: 'http', do: 'cut', phase: 'headers', ...often },
  { on: 'http', do: 'cut', phase: 'body', how: 'fin', ...often },
  { on: 'http', do: 'slice', sizes: [3], ...often },
  { on: 'http', do: 'drip', bytesPerSecond: 1e6, ...often },
  { on: 'rest', route: 'POST /api/v2/jobs', do: 'commit-then-cut', ...often },
  { on: 'rest', route: 'GET /api/v2/jobs/{id}', do: 'flicker' },
  { on: 'event', do: 'drop', ...often },
  { on: 'event', do: 'duplicate', ...often },
  { on: 'event', do: 'swap', ...often },
  { on: 'event', do: 'garbage', ...often },
  { on: 'event', do: 'foreign', previews: 1, ...often },
  { on: 'event', do: 'alter', data: { status: 'odd' }, ...often },
  { on: 'job', do: 'lose', ...often },
  { on: 'job', do: 'finish-while-disconnected', ...often },
  { on: 'job', do: 'outputs', outputs: { '1': { images: [{ filename: '../../x.png' }] } }, ...often },
  { on: 'job', do: 'vanish', when: 'ended', ...often },
  { on: 'account', do: 'revoke', nth: 20 },
];

describe('an emulator of API v2 in which everything goes wrong', () => {
  it.each([1, 2, 3])(
    'goes on, knows how every job ended, and keeps no stream open (seed %i)',
    async (seed) => {
      const emulator = await open({
        dialect: 'v2',
        seed,
        faults: worst,
        concurrency: 2,
        switches: { streamLimit: 100 },
      });
      const heard: Promise<unknown>[] = [];
      for (let job = 0; job < 20; job += 1) {
        const made = await ask(emulator, 'POST', '/jobs', { body: { workflow: quick } }).catch(
          () => undefined,
        );
        const id = (made?.body['id'] as string | undefined) ?? emulator.ledger.jobs.at(-1)?.promptId;
        heard.push(allEventsOf(emulator, id).catch(() => undefined));
        await ask(emulator, 'GET', `/jobs/${String(id)}`).catch(() => undefined);
      }
      emulator.setFaults([]);
      await until(() =>
        emulator.ledger.jobs.every(({ state }) => state !== 'pending' && state !== 'in_progress'),
      );
      const { jobs, faults } = emulator.ledger;
      expect(jobs.length).toBeGreaterThan(5);
      expect(new Set(faults.map(({ fault }) => fault.on))).toEqual(
        new Set(['socket', 'http', 'rest', 'event', 'job', 'account']),
      );
      expect([...new Set(jobs.map(({ state }) => state))].sort()).toEqual(['completed', 'lost']);
      emulator.cutSockets();
      await Promise.all(heard);
      await until(() => emulator.openStreams === 0);
      expect(emulator.ledger.streams.filter(({ isOpen }) => isOpen)).toEqual([]);
    },
  );
});
