import { describe, expect, it } from 'vitest';
import { fileMetadata } from '../../../src/emulator/engine/file-metadata.js';
import { recordingContext } from './run-node.js';

describe('fileMetadata', () => {
  it('carries the graph and the extra information as ASCII JSON', () => {
    const context = recordingContext({
      prompt: { '1': { text: 'Schnee ☃ 𝄞' } },
      extraPngInfo: { workflow: { nodes: [] } },
    });
    const metadata = fileMetadata(context);
    expect(metadata['prompt']).toBe('{"1":{"text":"Schnee \\u2603 \\ud834\\udd1e"}}');
    expect(JSON.parse(metadata['prompt']!)).toEqual(context.prompt);
    expect(metadata['workflow']).toBe('{"nodes":[]}');
  });

  it('leaves out names that no chunk can have, and a second prompt', () => {
    const extraPngInfo = { '': 1, 日本: 1, ['x'.repeat(80)]: 1, 'a\0b': 1, prompt: 'mine', fine: undefined };
    const metadata = fileMetadata(recordingContext({ prompt: {}, extraPngInfo }));
    expect(metadata).toEqual({ prompt: '{}', fine: 'null' });
  });
});
