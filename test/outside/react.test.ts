import { build } from 'esbuild';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { compile } from '../helpers/compile.js';
import { fencesOf } from '../helpers/fences.js';
import { describeWith, findInstalled, findProgram } from '../helpers/describe-with.js';
import { reportOf } from './report-of.js';

const root = join(import.meta.dirname, '..', '..');
const [example] = fencesOf(join(root, 'docs', 'guide', 'iteration.md'), 'tsx');

/** Compiles a module that imports the package and React, by the strictest settings that a project may have. */
const problemsOf = async (code: string, packages: string): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'react-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'example.tsx');
  await writeFile(file, `${code}\nexport {};\n`);
  const problems = await compile(folder, [file], {
    ...{ jsx: 'react-jsx', types: [], module: 'esnext', moduleResolution: 'bundler' },
    paths: {
      promptwire: [join(root, 'src', 'browser.ts')],
      react: [join(packages, '@types', 'react')],
      'react/*': [join(packages, '@types', 'react', '*')],
    },
  });
  return problems.get(file) ?? [];
};

/** Shows the example's component over a job, and reports each phase that it shows. */
const shows = `
  import { createRoot } from 'react-dom/client';
  import { createClient, toPromise } from 'promptwire';

  const client = createClient({ baseUrl: location.origin, apiKey: settings.apiKey });
  const job = await toPromise(client.submit(settings.workflow));
  const shown = [];
  new MutationObserver(() => {
    const progress = document.querySelector('progress');
    shown.push([progress?.ariaLabel, progress?.value]);
    if (progress?.ariaLabel === 'completed') fetch('/report', { method: 'POST', body: JSON.stringify(shown.at(-1)) });
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
  createRoot(document.body.appendChild(document.createElement('main'))).render(<Progress job={job} />);
`;

describeWith('React', findInstalled('react/package.json'), (manifest) => {
  const packages = dirname(dirname(manifest));

  it('compiles the component of the guide under the strictest settings', async () => {
    expect(example).toBeDefined();
    expect(await problemsOf(example!.code, packages)).toEqual([]);
  });

  describeWith('Chromium', findProgram('chromium'), (chromium) => {
    it('shows the progress of a job by the component of the guide, up to its end', async () => {
      await using emulator = await startEmulator({ speed: 5 });
      const settings = {
        apiKey: emulator.apiKey,
        workflow: textToImageWorkflow({ steps: 4, width: 64, height: 64 }),
      };
      const { outputFiles } = await build({
        stdin: { contents: `${example!.code}${shows}`, loader: 'tsx', resolveDir: root },
        ...{ bundle: true, write: false, format: 'esm', platform: 'browser', jsx: 'automatic' },
        alias: { promptwire: join(root, 'src', 'browser.ts') },
        nodePaths: [packages],
        define: { settings: JSON.stringify(settings) },
      });

      const report = await reportOf(chromium, emulator, outputFiles[0]?.text ?? '');

      expect(report).toEqual(['completed', 1]);
    });
  });
});
