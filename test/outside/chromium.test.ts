import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { reportOf } from './report-of.js';
import { prompt, samples, workflow as editorFile } from '../workflow/metadata/samples.js';

const scriptOf = async (page: string, settings: object): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'pages', `${page}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    alias: { promptwire: join(import.meta.dirname, '..', '..', 'src', 'browser.ts') },
    define: { settings: JSON.stringify(settings) },
  });
  return outputFiles[0]?.text ?? '';
};

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('runs a job from end to end in a page, over its own WebSocket and fetch', async () => {
    await using emulator = await startEmulator({ speed: 20 });
    const workflow = textToImageWorkflow({ steps: 4, width: 64, height: 64 });
    const script = await scriptOf('runs-a-job', { apiKey: emulator.apiKey, workflow });

    const reported = await reportOf(chromium, emulator, script);

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

  it('runs jobs on a pool of two engines in a page', async () => {
    const start = () => startEmulator({ dialect: 'local', speed: 20, allowOrigin: '*' });
    await using one = await start();
    await using other = await start();
    const workflows = [1, 2, 3, 4].map((seed) =>
      textToImageWorkflow({ steps: 4, width: 64, height: 64, seed }),
    );
    const baseUrls = [one.baseUrl, other.baseUrl];

    const reported = await reportOf(
      chromium,
      undefined,
      await scriptOf('runs-on-a-pool', { baseUrls, workflows }),
    );

    expect(reported).toEqual({ completed: 4, servers: ['engine-0', 'engine-1'] });
    const ran = [one, other].map(({ ledger }) => ledger.jobs.length);
    expect(ran.reduce((sum, jobs) => sum + jobs)).toBe(4);
  });

  it('finds the workflows of files in a page', async () => {
    await using emulator = await startEmulator();
    const files = samples.map(([what, , file]) => [what, file.toString('base64')]);

    const reported = await reportOf(chromium, emulator, await scriptOf('finds-workflows', { files }));

    expect(reported).toEqual(Object.fromEntries(files.map(([what]) => [what, [prompt, editorFile]])));
  });
});
