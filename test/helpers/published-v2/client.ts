import { createClientOn } from '../../../src/client/client.js';
import { fileAccess } from '../../../src/core/files/file-access.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import type { Platform } from '../../../src/core/platform/platform.js';
import { canary } from '../http-connection.js';
import type { PublishedService } from './service.js';

/** A client of API v2 for which time passes at once, but none while the service answers. */
export const publishedClient = ({ baseUrl }: Pick<PublishedService, 'baseUrl'>) => {
  const client = createClientOn(
    withTimeBetweenCalls(nodePlatform()),
    { baseUrl, apiKey: canary, dialect: 'v2' },
    fileAccess,
  );
  return { client, [Symbol.asyncDispose]: () => client.close() };
};

/** The next timer of the client is due once no answer but those of event streams is on its way, however slow the machine is. */
const withTimeBetweenCalls = (platform: Platform): Platform => {
  const timers = new Set<{ readonly dueMs: number; readonly work: () => void }>();
  let nowMs = 0;
  let calls = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || calls > 0 || timers.size === 0) return;
    isScheduled = true;
    setTimeout(pass, 1);
  };
  const pass = (): void => {
    isScheduled = false;
    const [next] = [...timers].sort((one, other) => one.dueMs - other.dueMs);
    if (calls === 0 && next !== undefined) {
      timers.delete(next);
      nowMs = Math.max(nowMs, next.dueMs);
      next.work();
    }
    schedule();
  };

  return {
    ...platform,
    random: () => 0.1,
    clock: {
      ...platform.clock,
      now: () => nowMs,
      after: (delayMs, work) => {
        const timer = { dueMs: nowMs + Math.max(0, delayMs), work };
        timers.add(timer);
        schedule();
        return () => timers.delete(timer);
      },
    },
    request: async (request) => {
      calls += 1;
      const isStream = request.headers['accept'] === 'text/event-stream';
      try {
        const answer = await platform.request(request);
        const pieces = answer.body[Symbol.asyncIterator]();
        const first: IteratorResult<Uint8Array>[] = [];
        // The rest of a stream may never come.
        do first.push(await pieces.next());
        while (!isStream && first.at(-1)?.done !== true);
        return { ...answer, body: resumed(first, pieces) };
      } finally {
        calls -= 1;
        schedule();
      }
    },
  };
};

/** What was read of a body, and then the rest. */
async function* resumed(
  read: readonly IteratorResult<Uint8Array>[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (const { done, value } of read) {
    if (done === true) return;
    yield value;
  }
  yield* { [Symbol.asyncIterator]: () => rest };
}
