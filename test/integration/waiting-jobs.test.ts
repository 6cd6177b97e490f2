import { describe, expect, it, onTestFinished } from 'vitest';
import { createClientOn } from '../../src/client/client.js';
import { type Engine, startEmulator, virtualClock } from '../../src/emulator.js';
import { inParallel } from '../helpers/in-parallel.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import { toPromise, type Workflow } from '../../src/node.js';

/** How many nodes each of the jobs has that wait. */
const nodes = 200;

const large: Workflow = {
  ...Object.fromEntries(
    Array.from({ length: nodes }, (_, nth) => [
      String(nth + 1),
      { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: nth } },
    ]),
  ),
  '999': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
};
/** The job that is polled is small: the newest engines answer with its own workflow, and with no other one. */
const small: Workflow = {
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
};

/** How many bytes one poll of a waiting job reads beside so many others. */
const bytesOfAPoll = async (engine: Engine, waiting: number, own = small): Promise<number> => {
  const emulator = await startEmulator({ dialect: 'local', engine, clock: virtualClock() });
  const platform = nodePlatform();
  let bytes = 0;
  const request: typeof platform.request = async (sent) => {
    const answer = await platform.request(sent);
    const body = async function* () {
      for await (const chunk of answer.body) {
        bytes += chunk.byteLength;
        yield chunk;
      }
    };
    return { ...answer, body: body() };
  };
  const client = createClientOn({ ...platform, request }, { baseUrl: emulator.baseUrl, dialect: 'local' });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  await inParallel(Array.from({ length: waiting }), 8, () => toPromise(client.rest.submit(large)));
  const { promptId } = await toPromise(client.rest.submit(own));
  // The first status finds out what the engine has.
  await toPromise(client.rest.jobStatus(promptId));
  bytes = 0;
  expect(await toPromise(client.rest.jobStatus(promptId))).toMatchObject({ phase: 'pending' });
  return bytes;
};

describe('one poll of a job beside 1,000 waiting ones', () => {
  it(
    'reads at most 4 KiB from an engine of today, and all that wait from one without the jobs API',
    { timeout: 120_000 },
    async () => {
      expect(await bytesOfAPoll('latest', 1_000)).toBeLessThanOrEqual(4 * 1024);
      // Of a large workflow the newest engines send its own text, and none of the others.
      expect(await bytesOfAPoll('0.26', 100, large)).toBeLessThanOrEqual(4 * 1024);
      // Its JSON has a blank after each comma and colon.
      expect(await bytesOfAPoll('latest', 100, large)).toBeLessThan(
        4 * 1024 + 1.5 * JSON.stringify(large).length,
      );
      // An engine without the jobs API lists each of them, nine kilobytes at least.
      expect(await bytesOfAPoll('0.3.64', 100)).toBeGreaterThan(100 * 9_000);
    },
  );
});
