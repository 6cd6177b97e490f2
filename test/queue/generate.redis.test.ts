import { describeRedis } from './describe-redis.js';
import { failing, picture, slow } from '../helpers/emulated.js';
import { expect, it, onTestFinished } from 'vitest';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { JobQueue } from '../../src/server/queue/jobs/job-queue.js';
import type { QueueJob } from '../../src/server/queue/jobs/queue-job.js';
import { join } from 'node:path';
import { setUp } from './set-up.js';
import type { Workflow } from '../../src/index.js';
import { tmpdir } from 'node:os';

/** Node.js 20 has no `Array.fromAsync`. */
const listed = async (queue: JobQueue): Promise<readonly QueueJob[]> => {
  const jobs: QueueJob[] = [];
  for await (const job of queue.list()) jobs.push(job);
  return jobs;
};

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'generate-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

/** Takes a picture and saves it again, under another title each. */
const copying: Workflow = {
  1: { class_type: 'LoadImage', inputs: { image: 'missing.png' }, _meta: { title: 'Load Image' } },
  2: {
    class_type: 'SaveImage',
    inputs: { images: ['1', 0], filename_prefix: 'copy' },
    _meta: { title: 'Copy' },
  },
};

/** A graph of one node as the editor saves it. */
const editorsFile = {
  ...{ version: 0.4, links: [] },
  nodes: [{ id: 1, type: 'SlowNode', title: 'Slow', inputs: [], outputs: [], widgets_values: [3] }],
};

describeRedis(
  (server) => {
    it('goes from a path and inputs to saved files by way of a worker', async () => {
      const { open, work, newClient } = await setUp(server());
      const queue = open({ client: newClient() });
      await work();
      const into = await folder();
      const path = join(into, 'workflow.json');
      await writeFile(path, JSON.stringify(picture()));
      const phases: string[] = [];
      const { files, outputs, state } = await queue.generate(path, {
        ...{ inputs: { 'Prompt.text': 'a lighthouse' }, into, tenant: 'ann' },
        onState: ({ phase }) => phases.push(phase),
      });
      expect([phases[0], state.phase]).toEqual(['submitting', 'completed']);
      expect(outputs['Save']).toEqual(files);
      expect(await readFile(files[0]!.path!)).toEqual(Buffer.from(await files[0]!.bytes()));
      expect((await listed(queue))[0]?.tenant).toBe('ann');
    });

    it('refuses a misspelt input before anything is uploaded or added, and says which one is like it', async () => {
      const { open, newClient, emulator } = await setUp(server());
      const queue = open({ client: newClient() });
      const workflow = { ...picture(), 11: copying['1']! };
      const inputs = { 'Load Image.image': new Blob(['photo']), 'Prompt.txt': 'a lighthouse' };
      await expect(queue.generate(workflow, { inputs })).rejects.toMatchObject({
        ...{ _tag: 'UnknownInput', input: 'txt', nearest: ['text'] },
      });
      expect(emulator.requests.filter(({ method }) => method === 'POST')).toEqual([]);
      expect(await listed(queue)).toEqual([]);
    });

    it('takes a picture that carries a workflow and a file of the editor, and uploads a file by its content once', async () => {
      const { open, work, newClient, emulator } = await setUp(server());
      const queue = open({ client: newClient() });
      await work();
      const asked = (method: string, path: string): number =>
        emulator.requests.filter((request) => request.method === method && request.url.startsWith(path))
          .length;
      const [made] = (await queue.generate(picture())).files;
      const bytes = new Uint8Array(await made!.bytes());
      expect((await queue.generate(bytes)).files).toHaveLength(1);

      for (const photo of [new Blob([bytes]), new File([bytes], 'photo.png'), bytes]) {
        const { outputs } = await queue.generate(copying, { inputs: { 'Load Image.image': photo } });
        expect(Object.keys(outputs)).toEqual(['Copy']);
      }
      expect(asked('POST', '/api/upload/')).toBe(1);

      for (const steps of [2, 3]) await queue.generate(editorsFile, { inputs: { 'Slow.steps': steps } });
      expect(asked('GET', '/api/object_info')).toBe(1);
    });

    it('needs a client for files alone', async () => {
      const { queue, work } = await setUp(server());
      await work();
      const { files } = await queue.generate(picture());
      const refused = (option: string): object => ({ _tag: 'InvalidConfig', option });
      await expect(files[0]!.bytes()).rejects.toMatchObject(refused('client'));
      await expect(queue.generate(picture(), { into: 'outputs' })).rejects.toMatchObject(refused('into'));
      const photo = { inputs: { 'Load Image.image': new Blob(['photo']) } };
      const loading = {
        1: { class_type: 'LoadImage', inputs: { image: '' }, _meta: { title: 'Load Image' } },
      };
      await expect(queue.generate(loading, photo)).rejects.toMatchObject(refused('client'));
    });

    it('refuses what it can not keep before a file is uploaded', async () => {
      const { open, newClient, emulator } = await setUp(server());
      const queue = open({ client: newClient() });
      const loading = { 1: { class_type: 'LoadImage', inputs: { image: '' } } };
      const inputs = { '1.image': new Blob(['photo']) };
      const refusal = (tag: string): object => ({ _tag: tag });
      const writing = { ...loading, 2: { class_type: 'SaveAudio', inputs: {} } };
      await expect(queue.generate(writing, { inputs, ephemeral: true })).rejects.toMatchObject(
        refusal('NotSupported'),
      );
      await expect(queue.generate(loading, { inputs, priority: NaN })).rejects.toMatchObject(
        refusal('InvalidConfig'),
      );
      expect(emulator.requests).toEqual([]);
    });

    it('rejects with the reason of a job that fails, and ends one whose signal fires', async () => {
      const { queue, work } = await setUp(server());
      await work();
      await expect(queue.generate(failing('RuntimeError'))).rejects.toMatchObject({ _tag: 'JobFailed' });
      const controller = new AbortController();
      const made = queue.generate(slow(50_000), {
        signal: controller.signal,
        onState: ({ phase }) => {
          if (phase === 'in_progress') controller.abort();
        },
      });
      await expect(made).rejects.toMatchObject({ _tag: 'Aborted' });
      await expect
        .poll(async () => (await listed(queue)).map(({ phase }) => phase))
        .toEqual(['cancelled', 'failed']);
    });
  },
  { isDurable: true },
);
