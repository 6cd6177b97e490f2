import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import {
  encodeMessage,
  encodePreview,
  encodePreviewWithMetadata,
  encodeProgressText,
} from '../helpers/encode-frame.js';
import { eventFixtures } from '../helpers/event-fixtures.js';
import { mutateFrame, randomInts } from '../helpers/mutate-frame.js';
import type { Figure } from './figure.js';
import { watchProcess } from './process-health.js';

const heapMiB = 32;

/** Frames that were spoilt in one to four places. */
export const hostileFrames: Figure = {
  id: 'hostile-frames',
  what: 'mutated frames decoded, a good one after each',
  target: '0 throws and heap ≤ +32 MiB in 1,000,000 frames; the next good frame is always decoded',
  count: 1_000_000,
  splits: true,
  run: async ({ from, count }) => {
    const seenByProcess = watchProcess();
    const random = randomInts(from);
    const before = heapUsed();
    const problems: string[] = [];
    let heard = 0;
    for (let index = 0; index < count; index += 1) {
      const wire = mutateFrame(seeds[index % seeds.length]!, random);
      const promptText = index % 2 === 0;
      try {
        decodeFrame(bufferOf(wire), { promptText });
        const next = decodeFrame(good, { promptText });
        if (next._tag === 'Event' && next.type === 'execution_success') heard += 1;
      } catch (error) {
        problems.push(`frame ${index} of seed ${from}: ${String(error)}`);
      }
    }
    return {
      counts: {
        frames: count,
        throws: problems.length,
        'good frames decoded': heard,
        'most MiB of heap': heapUsed() - before,
      },
      problems: [...problems.slice(0, 3), ...(await seenByProcess())],
    };
  },
  shortfalls: ({ counts }, count) => [
    ...(counts['good frames decoded'] === count ? [] : ['a good frame was not decoded']),
    ...((counts['most MiB of heap'] ?? 0) <= heapMiB ? [] : ['the heap grew']),
  ],
};

const image = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);
const promptId = '6a1f0c52-7d3e-4b8a-9c1d-2e5f60718293';
const good = encodeMessage('execution_success', { prompt_id: promptId, timestamp: 1 });
const seeds: readonly (string | Uint8Array)[] = [
  ...eventFixtures.map(({ type, data }) => encodeMessage(type, data)),
  encodePreview(1, image),
  encodePreview(2, image),
  encodeProgressText('12', 'half way'),
  encodeProgressText('12', 'half way', promptId),
  encodePreviewWithMetadata({ node_id: '1', prompt_id: promptId, image_type: 'image/png' }, image),
];

const bufferOf = (wire: string | Uint8Array): string | ArrayBuffer =>
  typeof wire === 'string' ? wire : wire.slice().buffer;

const heapUsed = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};
