import { build } from 'esbuild';
import { existsSync } from 'node:fs';
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
const guide = join(root, 'docs', 'guide');
const [example] = fencesOf(join(guide, 'iteration.md'), 'tsx');
const ofHooks = fencesOf(join(guide, 'react.md'), 'tsx').map(({ code }) => code);

/** Compiles modules that import the package and React as one program, by the strictest settings that a project may have. */
const problemsOf = async (modules: readonly string[], packages: string): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'react-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = modules.map((_, at) => join(folder, `example-${at}.tsx`));
  for (const [at, file] of files.entries()) await writeFile(file, `${modules[at]!}\nexport {};\n`);
  const problems = await compile(folder, files, {
    ...{ jsx: 'react-jsx', types: [], module: 'esnext', moduleResolution: 'bundler' },
    paths: {
      promptwire: [join(root, 'src', 'browser.ts')],
      'promptwire/*': [join(root, 'src', '*.ts')],
      react: [join(packages, '@types', 'react')],
      'react/*': [join(packages, '@types', 'react', '*')],
    },
  });
  const isOurs = (path: string): boolean =>
    files.includes(path) || path.includes(join('src', 'page', 'react'));
  return [...problems].flatMap(([path, texts]) => (isOurs(path) ? texts : []));
};

/** Every hook over each kind of source. */
const hooks = `
  import { createClient, type Job } from 'promptwire';
  import { createClient as createPromising } from 'promptwire/promises';
  import { createRemote } from 'promptwire/remote';
  import * as hooks from 'promptwire/react';

  const options = { baseUrl: 'http://127.0.0.1:8188', dialect: 'local' } as const;
  const sources = { client: createClient(options), promising: createPromising(options), remote: createRemote() };
  export const useAll = (job: Job) => {
    const { client, promising, remote } = sources;
    const runs = [hooks.useRun(client).start({}), hooks.useRun(promising).start({}), hooks.useRun(remote).start({})];
    const templates = hooks.useRun(remote).start('picture', { prompt: 'a' }, { metadata: { page: '1' } });
    // @ts-expect-error -- a client has no templates
    void hooks.useRun(client).start('picture', { prompt: 'a' });
    // @ts-expect-error -- nor has it the list of a remote
    hooks.useJobs(client, { limit: 3 });
    const delay = hooks.useConnection(client);
    return [
      runs, templates, hooks.useJob(client, 'a'), hooks.useJob(promising, 'a'), hooks.useJob(remote, 'a'), hooks.useJob(job),
      hooks.useJobs(client, ['a']), hooks.useJobs(remote), hooks.useJobs(remote, { limit: 3 }),
      hooks.usePreview(client, 'a'), hooks.usePreview(remote, 'a'), hooks.usePreview(job).url?.length,
      hooks.useOutputs(remote, undefined).outputs?.map(({ url }) => url),
      delay._tag === 'waiting' ? delay.delayMs : 0, hooks.useConnection(remote)._tag, hooks.useJob(undefined, 'a'),
    ];
  };
`;

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

  it.each([
    ['React 18', join(packages, '..', 'react-18', 'node_modules')],
    ['React 19', packages],
  ])(
    'compiles the guides, and the hooks over clients, remotes and jobs, by the types of %s',
    async (_, types) => {
      expect(existsSync(join(types, '@types', 'react', 'index.d.ts'))).toBe(true);
      expect(example).toBeDefined();
      expect(await problemsOf([example!.code, hooks, ...ofHooks], types)).toEqual([]);
    },
  );

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
