import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/emulator.js';
import { call, listen, open, quick } from '../support.js';

const often = { times: 'every', chance: 0.25 } as const;

/** Something of every kind, all the time; what would stall for good is left out. */
const worst: readonly Fault[] = [
  { on: 'socket', do: 'refuse', status: 503, ...often },
  { on: 'socket', do: 'cut', after: { messages: 4 }, ...often },
  { on: 'socket', do: 'cut', how: 'fin', after: { bytes: 500 }, ...often },
  { on: 'socket', do: 'slice', sizes: [1, 50], ...often },
  { on: 'socket', do: 'illegal', frame: 'bad opcode', after: { messages: 2 }, ...often },
  { on: 'socket', do: 'fragments', count: 300, after: { messages: 3 }, ...often },
  { on: 'socket', do: 'flood', previewBytes: 100, after: { messages: 1 }, ...often },
  { on: 'socket', do: 'latency', ms: 1, ...often },
  { on: 'socket', do: 'idle-close', ms: 5, ...often },
  { on: 'http', do: 'oversize', bytes: 1000, ...often },
  { on: 'http', do: 'cut', phase: 'before', ...often },
  { on: 'http', do: 'cut', phase: 'body', how: 'fin', ...often },
  { on: 'http', do: 'slice', sizes: [3], ...often },
  { on: 'rest', route: 'POST /api/prompt', do: 'commit-then-cut', ...often },
  { on: 'rest', route: 'GET /api/job/{id}/status', do: 'flicker' },
  { on: 'rest', route: '*', do: 'delay', ms: 1, ...often },
  { on: 'event', do: 'drop', ...often },
  { on: 'event', do: 'duplicate', ...often },
  { on: 'event', do: 'swap', ...often },
  { on: 'event', do: 'garbage', ...often },
  { on: 'event', do: 'foreign', previews: 1, ...often },
  { on: 'job', do: 'lose', ...often },
  { on: 'job', do: 'late-outputs', reads: 2, ...often },
  { on: 'job', do: 'vanish', when: 'ended', ...often },
  { on: 'account', do: 'revoke', nth: 30 },
];

describe.each(['cloud', 'local'] as const)(
  'an emulator of the %s dialect in which everything goes wrong',
  (dialect) => {
    it.each([1, 2, 3])('goes on, and knows how every job ended (seed %i)', async (seed) => {
      const emulator = await open({ dialect, seed, faults: worst, concurrency: 2 });
      for (let job = 0; job < 20; job += 1) {
        const listener = await listen(emulator, { token: emulator.apiKey }).catch(() => undefined);
        listener?.socket.on('error', () => undefined);
        await call(emulator, 'POST', '/api/prompt', { prompt: quick }).catch(() => undefined);
        await call(emulator, 'GET', '/api/queue').catch(() => undefined);
      }
      emulator.setFaults([]);
      const { jobs, faults } = emulator.ledger;
      expect(jobs.length).toBeGreaterThan(5);
      // A local server knows no accounts.
      expect(new Set(faults.map(({ fault }) => fault.on)).size).toBe(dialect === 'cloud' ? 6 : 5);
      while (emulator.ledger.jobs.some(({ state }) => state === 'pending' || state === 'in_progress'))
        await call(emulator, 'GET', '/api/queue');
      const ends = new Set(emulator.ledger.jobs.map(({ state }) => state));
      expect([...ends].sort()).toEqual(['completed', 'lost']);
    });
  },
);
