import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Emulator, startEmulator, textToImageWorkflow } from '../../src/emulator/index.js';
import { describeWith, findProgram } from './programs.js';
import { reportOf } from './report-of.js';

const scriptOf = async (page: string, { apiKey }: Emulator): Promise<string> => {
  const workflow = textToImageWorkflow({ steps: 4, width: 64, height: 64 });
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'pages', `${page}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    define: { settings: JSON.stringify({ apiKey, workflow }) },
  });
  return outputFiles[0]?.text ?? '';
};

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('runs a job from end to end in a page, over its own WebSocket and fetch', async () => {
    await using emulator = await startEmulator({ speed: 20 });

    const reported = await reportOf(chromium, emulator, await scriptOf('runs-a-job', emulator));

    const { states, ...rest } = reported as { readonly states: number };
    expect(states).toBeGreaterThan(5);
    expect(rest).toEqual({
      phase: 'completed',
      outputs: 2,
      previewTypes: ['image/jpeg'],
      previewNodes: ['3'],
      uploaded: 'Right',
      // A page does not see where a view redirects to, and the client says so instead of following with the key.
      viewed: 'DownloadFailed',
    });
  });
});
