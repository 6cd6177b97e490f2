import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import type { EventFrame } from '../../src/core/protocol/frames/frame.js';
import { message, promptIdOf } from './wire.js';

/**
 * The events of one job, decoded: start, some cached nodes, then each of `nodeCount` nodes in turn with its progress, and
 * its picture, then the end.
 */
export const jobEvents = (count: number, nodeCount = 20): readonly EventFrame[] => {
  const prompt_id = promptIdOf(0);
  const texts = [message('execution_start', { prompt_id, timestamp: 1 })];
  texts.push(message('execution_cached', { prompt_id, nodes: ['cached'], timestamp: 2 }));
  const steps = Math.floor((count - 3) / nodeCount) - 2;
  const spare = count - 3 - nodeCount * (steps + 2);
  for (let index = 0; index < nodeCount; index += 1) {
    const node = String(index + 1);
    const max = index === 0 ? steps + spare : steps;
    texts.push(message('executing', { prompt_id, node, display_node: node }));
    for (let value = 1; value <= max; value += 1) {
      texts.push(message('progress', { prompt_id, node, value, max }));
    }
    const images = [{ filename: `picture_${node}.png`, subfolder: '', type: 'output' }];
    texts.push(message('executed', { prompt_id, node, display_node: node, output: { images } }));
  }
  texts.push(message('execution_success', { prompt_id, timestamp: 3 }));
  return texts.map((text) => decodeFrame(text) as EventFrame);
};
