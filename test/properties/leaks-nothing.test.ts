import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { createClientOn } from '../../src/client/client.js';
import { fileAccess } from '../../src/core/files/file-access.js';
import type { Client } from '../../src/client/client-types.js';
import type { HttpRequest } from '../../src/core/platform/platform.js';
import { toAsyncIterable } from '../../src/core/interop/to-async-iterable.js';
import { countingSignal, type CountingSignal } from '../helpers/counting-signal.js';
import { requestFate, socketFate } from '../helpers/fault-arbitraries.js';
import { messages } from '../helpers/job-harness.js';
import { lawWithinMs, patient } from '../helpers/patient.js';
import { simulatedService } from '../helpers/simulated-service.js';
import { runs } from '../helpers/runs.js';

vi.setConfig({ testTimeout: lawWithinMs });

const numRuns = runs(1000);
const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };
const nothing = { sockets: 0, timers: 0, requests: 0 };
const lingerMs = 5_000;
/** A request that its watcher left is awaited until its deadline. */
const deadlineMs = 60_000;

const use = fc.record({
  what: fc.constantFrom(
    'run' as const,
    'run and cancel' as const,
    'runAll' as const,
    'follow' as const,
    'frames' as const,
    'connection' as const,
    'for await' as const,
    'queue' as const,
    'download' as const,
  ),
  fromMs: fc.integer({ min: 0, max: 3_000 }),
  forMs: fc.integer({ min: 0, max: 8_000 }),
  aborts: fc.boolean(),
});

const plan = fc.record({
  dialect: fc.constantFrom('cloud' as const, 'local' as const),
  sockets: fc.array(socketFate, { maxLength: 4 }),
  requests: fc.array(requestFate, { maxLength: 6 }),
  jobMs: fc.integer({ min: 0, max: 5_000 }),
  uses: fc.array(use, { minLength: 1, maxLength: 4 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer A> ? A : never;

const simulate = ({ dialect, sockets, requests, jobMs }: Plan) => {
  const fates = [...requests];
  let jobs = 0;
  const service = simulatedService({
    sockets,
    requests: () => fates.shift(),
    handle: ({ method, url }: HttpRequest) => {
      const { pathname } = new URL(url);
      if (method !== 'POST' || !pathname.endsWith('/prompt')) return { status: 404, body: {} };
      const promptId = `p${(jobs += 1)}`;
      service.at(jobMs, () => service.send(messages(promptId).success));
      return { body: { prompt_id: promptId, node_errors: {} } };
    },
  });
  const own = countingSignal();
  const client = createClientOn(
    service.platform,
    {
      baseUrl: 'http://127.0.0.1:8188',
      dialect,
      lingerMs,
      signal: own.signal,
    },
    fileAccess,
  );
  return { service, client, own };
};

/** Begins one use of the client; the result ends it. */
const begin = (client: Client, { what }: Plan['uses'][number], { signal }: CountingSignal): (() => void) => {
  const quiet = { error: () => undefined };
  const until = (subscription: Subscription) => () => subscription.unsubscribe();
  switch (what) {
    case 'run':
      return until(client.run(workflow, { signal }).subscribe(quiet));
    case 'run and cancel':
      return until(client.run(workflow, { signal, onUnsubscribe: 'cancel' }).subscribe(quiet));
    case 'runAll':
      return until(client.runAll([workflow, workflow], { signal }).subscribe(quiet));
    case 'follow':
      return until(client.follow('p1', { signal }).subscribe(quiet));
    case 'frames':
      return until(client.frames.subscribe(quiet));
    case 'connection':
      return until(client.connection.subscribe(quiet));
    case 'for await': {
      const states = toAsyncIterable(client.run(workflow), { signal, overflow: 'latest' });
      void lastOf(states).catch(() => undefined);
      return () => void states.return();
    }
    case 'queue':
      void client.rest.queue({ signal })();
      return () => undefined;
    case 'download':
      return until(client.download({}, '/nowhere', { signal }).subscribe(quiet));
  }
};

const lastOf = async <A>(values: AsyncIterable<A>): Promise<A | undefined> => {
  let last: A | undefined;
  for await (const value of values) last = value;
  return last;
};

/** What takes no signal is left by unsubscribing. */
const leave = ({ what, aborts }: Plan['uses'][number], signal: CountingSignal, end: () => void): void => {
  if (aborts) signal.abort();
  if (!aborts || what === 'frames' || what === 'connection') end();
};

describe('what a client holds (law 6)', () => {
  it('I-8: is nothing after the last watcher has left and the linger, however it went', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (chosen) => {
        const { service, client } = simulate(chosen);
        const signals = chosen.uses.map((used) => {
          const signal = countingSignal();
          service.at(used.fromMs, () => {
            const end = begin(client, used, signal);
            service.at(used.forMs, () => leave(used, signal, end));
          });
          return signal;
        });
        await service.clock.advance(11_000 + deadlineMs + lingerMs);
        expect(service.held()).toEqual(nothing);
        expect(signals.map(({ listeners }) => listeners())).toEqual(signals.map(() => 0));
      }),
      { numRuns, ...patient },
    );
  });

  it('I-13: is nothing at once after close(), with any work under way', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.integer({ min: 0, max: 10_000 }),
        fc.boolean(),
        async (chosen, closesAtMs, bySignal) => {
          const { service, client, own } = simulate(chosen);
          const signals = chosen.uses.map((used) => {
            const signal = countingSignal();
            service.at(used.fromMs, () => begin(client, used, signal));
            return signal;
          });
          await service.clock.advance(closesAtMs);
          if (bySignal) own.abort();
          else await client.close();
          expect(service.held()).toEqual(nothing);
          // What was told of the end runs to its own end without the passing of time.
          await service.clock.advance(0);
          expect(service.held()).toEqual(nothing);
          expect([own, ...signals].map(({ listeners }) => listeners())).toEqual(
            [own, ...signals].map(() => 0),
          );
          const asked = service.requests.length;
          await service.clock.advance(100_000);
          expect(service.held()).toEqual(nothing);
          expect(service.requests).toHaveLength(asked);
        },
      ),
      { numRuns, ...patient },
    );
  });
});
