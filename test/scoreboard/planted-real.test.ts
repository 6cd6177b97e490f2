import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client-types.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { clientWith } from '../helpers/client-with.js';
import { brokenClients } from '../simulation/broken-clients.js';
import { type MakeClient, realClient } from '../simulation/play.js';
import { realCuts } from './real-cuts.js';
import { realSilence } from './real-silence.js';
import { badLines } from './bad-networks.js';

/** A half-open line is given up after six seconds here. */
const patienceMs = 7_000;

/** A client whose runs report something else than they know. */
const telling =
  (change: (state: JobState) => JobState): MakeClient =>
  (platform, options) => {
    const client = realClient(platform, options);
    const run: Client['run'] = (...args) => client.run(...args).pipe(map(change));
    return clientWith(client, { run });
  };

/** A client that holds no line for dead. */
const deaf: MakeClient = (platform, options) =>
  realClient(
    {
      ...platform,
      openSocket: (url, listener) => {
        const { send, close } = platform.openSocket(url, listener);
        return { send, close };
      },
    },
    options,
  );

const wrongClients = {
  'calls a failure a success': telling((state) =>
    state.phase === 'failed' ? { ...state, phase: 'completed' } : state,
  ),
  'loses outputs': telling((state) => ({ ...state, outputs: {} })),
  'takes nodes of others': telling((state) => ({ ...state, outputs: { ...state.outputs, 9: {} } })),
} satisfies Record<string, MakeClient>;

describe('a planted bug on real sockets', () => {
  it.each([
    ['leaves its sockets open', 'I7', brokenClients['leaves its sockets open'], 12, 2],
    ['never reports an end', 'I1', brokenClients['never reports an end'], 12, 4],
    ['reports each end twice', 'I4', brokenClients['reports each end twice'], 12, 16],
    ['throws what is not its own', 'I14', brokenClients['throws what is not its own'], 30, 8],
    ['submits again after a lost answer', 'I5', brokenClients['submits again after a lost answer'], 10, 1],
    ['calls a failure a success', 'I2', wrongClients['calls a failure a success'], 12, 16],
    ['loses outputs', 'I3', wrongClients['loses outputs'], 12, 16],
    ['takes nodes of others', 'I6', wrongClients['takes nodes of others'], 12, 16],
  ] as const)(
    'is caught by bad-networks: a client that %s (%s)',
    async (_name, invariant, makeClient, from, count) => {
      const { problems } = await badLines({ from, count }, { makeClient, patienceMs });
      const caught = problems.filter((problem) => problem.startsWith(`${invariant} `));
      expect(caught).not.toEqual([]);
      expect(caught.some((problem) => /npm run replay -- bad-networks --seed \d+$/u.test(problem))).toBe(
        true,
      );
    },
  );

  it('is caught by no-duplicate-submissions: a client that submits again after a lost answer', async () => {
    const makeClient = brokenClients['submits again after a lost answer'];
    const { counts } = await realCuts([30, 40, 50, 60], { makeClient });
    expect(counts['duplicates there']).toBeGreaterThan(0);
  });

  it.each([
    ['never learns by asking', brokenClients['never learns by asking']],
    ['holds no line for dead', deaf],
  ] as const)('is caught by silent-connections: a client that %s', async (_name, makeClient) => {
    const { problems } = await realSilence([50, 100, 150], { makeClient, patienceMs });
    expect(problems).not.toEqual([]);
  });
});
