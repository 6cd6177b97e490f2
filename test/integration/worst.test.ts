import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Fault, Switches } from '../../src/emulator.js';
import { isServiceError } from '../../src/core/errors/service-error.js';
import { emulated, hurriedBy, picture } from '../helpers/emulated.js';

const now = { times: 'every', chance: 0.3 } as const;

/** The least that the interface promises, in every fact on which its documents differ. */
const least: Partial<Switches> = {
  statusWords: 'raw',
  history: 'keyed',
  statusEvent: 'nested',
  executingEnd: 'never',
  queueDelete: 'pending',
  storageHeaders: 'refuses',
  badToken: 'close',
  historyLagMs: 60,
  signedUrlMs: 400,
};

/** All that the interface does not forbid, all the time. */
const worst: readonly Fault[] = [
  { on: 'socket', do: 'refuse', status: 503, ...now },
  { on: 'socket', do: 'cut', after: { messages: 12 }, ...now },
  { on: 'socket', do: 'slice', sizes: [1, 400], ...now },
  { on: 'http', do: 'slice', sizes: [1, 70], ...now },
  { on: 'rest', route: 'GET /api/job/{id}/status', do: 'answer', status: 500, ...now },
  { on: 'event', do: 'drop', ...now },
  { on: 'event', do: 'duplicate', ...now },
  { on: 'event', do: 'swap', ...now },
  { on: 'event', do: 'garbage', ...now },
  { on: 'event', do: 'foreign', previews: 1, ...now },
];

describe('a client of a service that keeps to the letter of the interface and to nothing else', () => {
  it.each([1, 2])('L6: has the true end and outputs of each job, once (seed %i)', async (seed) => {
    const { emulator, newClient } = await emulated({ seed, profile: '2026', switches: least, faults: worst });
    const client = newClient({}, hurriedBy(12));
    const ends = await Promise.all(
      Array.from({ length: 5 }, () =>
        lastValueFrom(client.run(picture())).catch((error: unknown) => {
          if (!isServiceError(error)) throw error;
          return error;
        }),
      ),
    );
    const truth = new Map(emulator.ledger.jobs.map((job) => [job.promptId, job]));
    expect(truth.size).toBe(5);
    for (const end of ends) {
      if (end instanceof Error) throw end;
      expect(end).toMatchObject({ phase: truth.get(end.promptId)?.state, outputsComplete: true });
      expect(end.outputs).toEqual(truth.get(end.promptId)?.outputs);
    }
    expect(new Set(emulator.ledger.faults.map(({ fault }) => fault.do)).size).toBeGreaterThan(5);
  });
});
