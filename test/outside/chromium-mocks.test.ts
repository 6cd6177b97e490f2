import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { fencesOf } from '../helpers/fences.js';
import { reportOf } from './report-of.js';

const root = join(import.meta.dirname, '..', '..');
const guide = 'docs/guide/test-your-app.md';

/** The example of the guide, then what the page does once the worker is there. */
const program = (): string => {
  const example = fencesOf(join(root, guide)).find(({ code }) => code.includes('setupWorker'));
  return `
    import { createClient, outputFiles } from 'promptwire';
    import { lastValueFrom } from 'rxjs';
    ${example?.code}
    const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
    const workflow = {
      3: { class_type: 'KSampler', inputs: { steps: 2 } },
      9: { class_type: 'SaveImage', inputs: {} },
    };
    const previewed = new Promise((resolve) => client.frames.subscribe((frame) => frame._tag === 'Preview' && resolve(true)));
    const { phase, outputs } = await lastValueFrom(client.run(workflow));
    const [{ filename }] = outputFiles(outputs);
    const picture = new Image();
    picture.src = 'http://127.0.0.1:8188/api/view?type=output&filename=' + filename;
    await picture.decode();
    const { naturalWidth: width, naturalHeight: height } = picture;
    const body = JSON.stringify({ phase, filename, previewed: await previewed, width, height });
    await fetch('/report', { method: 'POST', body });
  `;
};

const bundled = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: program(), resolveDir: root, loader: 'ts' },
    alias: {
      promptwire: join(root, 'src', 'browser.ts'),
      'promptwire/testing/msw': join(root, 'src', 'testing-msw.ts'),
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser' },
  });
  return outputFiles[0]?.text ?? '';
};

describeWith('Chromium', findProgram('chromium'), (chromium) => {
  it('plays a job in a page by the handlers for MSW, without a service', async () => {
    const worker = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8');

    const reported = await reportOf(chromium, undefined, await bundled(), {
      '/mockServiceWorker.js': worker,
    });

    expect(reported).toEqual({
      ...{ phase: 'completed', filename: '9-00001_.png', previewed: true, width: 96, height: 64 },
    });
  });
});
