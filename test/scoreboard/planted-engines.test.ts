import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client-types.js';
import { clientWith } from '../helpers/client-with.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { type MakeClient, realClient } from '../simulation/play.js';
import { map } from 'rxjs';
import { playClouds, playEngines } from './generated-engines.js';

/** A client whose runs tell something else than they know. */
const telling =
  (change: (state: JobState) => JobState): MakeClient =>
  (platform, options) => {
    const client = realClient(platform, options);
    const run: Client['run'] = (...args) => client.run(...args).pipe(map(change));
    return clientWith(client, { run });
  };

/** A client that drops the pictures which come over the socket alone, without a word. */
const withoutSocketImages = telling((state) => ({ ...state, socketImages: [] }));

/** A client that tells such pictures under the place of another. */
const misplacing = telling((state) => ({
  ...state,
  ...(state.socketImages && {
    socketImages: state.socketImages.map((image) => ({ ...image, index: 2 - image.index })),
  }),
}));

/** A client that cancels by the interrupt that ends whatever runs. */
const interrupting: MakeClient = (platform, options) => {
  const client = realClient(platform, options);
  const cancel: Client['cancel'] = (_, more) => client.rest.interrupt(more);
  return clientWith(client, { cancel });
};

/** A client that submits again where the answer was lost. */
const repeating: MakeClient = (platform, options) => {
  const client = realClient(platform, options);
  const submit: Client['submit'] = (workflow, more) => async () => {
    const once = { ...more, findLost: false };
    const first = await client.submit(workflow, once)();
    return first._tag === 'Left' ? client.submit(workflow, once)() : first;
  };
  return clientWith(client, { submit });
};

describe('a planted bug on generated engines', () => {
  it.each([
    [
      'calls a failure a success',
      'wrong ends',
      telling((state) => (state.phase === 'failed' ? { ...state, phase: 'completed' } : state)),
      1,
      20,
    ],
    ['names another job', 'wrong ends', telling((state) => ({ ...state, promptId: 'another' })), 1, 8],
    ['loses outputs', 'lost outputs', telling((state) => ({ ...state, outputs: {} })), 1, 8],
    ['drops pictures of the socket', 'lost outputs', withoutSocketImages, 1, 8],
    ['mixes pictures of the socket up', 'lost outputs', misplacing, 1, 8],
    ['interrupts whatever runs', 'strangers touched', interrupting, 42, 11],
    ['submits again where the answer is lost', 'wrong ends', repeating, 20, 7],
  ] as const)(
    'is caught: a client that %s',
    async (_, count, makeClient, from, engines) => {
      const { counts, problems } = await playEngines({ from, count: engines }, makeClient);
      expect(counts[count]).toBeGreaterThan(0);
      expect(problems[0]).toMatch(/npm run replay -- generated-engines --seed \d+$/u);
    },
    60_000,
  );
});

describe('a planted bug on generated clouds', () => {
  it.each([
    [
      'calls a failure a success',
      'wrong ends',
      telling((state) => (state.phase === 'failed' ? { ...state, phase: 'completed' } : state)),
      1,
      20,
    ],
    ['loses outputs', 'lost outputs', telling((state) => ({ ...state, outputs: {} })), 1, 8],
    ['drops pictures of the socket', 'lost outputs', withoutSocketImages, 20, 3],
    ['interrupts whatever runs', 'strangers touched', interrupting, 10, 4],
    ['submits again where the answer is lost', 'wrong ends', repeating, 47, 3],
  ] as const)(
    'is caught: a client that %s',
    async (_, count, makeClient, from, services) => {
      const { counts, problems } = await playClouds({ from, count: services }, makeClient);
      expect(counts[count]).toBeGreaterThan(0);
      expect(problems[0]).toMatch(/npm run replay -- generated-clouds --seed \d+$/u);
    },
    60_000,
  );
});
