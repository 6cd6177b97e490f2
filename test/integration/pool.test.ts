import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { filter, firstValueFrom, last, lastValueFrom, merge, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPool } from '../../src/pool.js';
import { isTerminal, toPromise } from '../../src/index.js';
import { picture } from '../helpers/emulated.js';
import type { PoolOptions, PoolServer } from '../../src/pool.js';
import { restarted } from '../helpers/restarted-engine.js';
import { startEmulator } from '../../src/emulator.js';

/** A pool over emulated engines, each on a port of its own. */
const poolOver = async (names: readonly string[], options: Partial<PoolOptions> = {}) => {
  const emulators = await Promise.all(
    names.map(() => startEmulator({ dialect: 'local', engine: 'latest', speed: Infinity })),
  );
  const pool = createPool({
    ...options,
    servers: emulators.map(({ baseUrl }, index) => ({ baseUrl, dialect: 'local', name: names[index] })),
  });
  onTestFinished(async () => {
    await pool.close();
    await Promise.all(emulators.map((emulator) => emulator.close()));
  });
  return { emulators, pool };
};

const submissionsOf = ({ requests }: { readonly requests: readonly { method: string; url: string }[] }) =>
  requests.filter(({ method, url }) => method === 'POST' && url === '/api/prompt').length;

describe('a pool of engines', () => {
  it('runs many workflows, each once, and on more than one engine', async () => {
    const { emulators, pool } = await poolOver(['one', 'two', 'three']);
    const states = await lastValueFrom(
      pool.runAll(Array.from({ length: 12 }, (_, index) => picture(index + 1))).pipe(toArray()),
    );
    const ends = states.filter(({ state }) => isTerminal(state.phase)).map(({ state }) => state);
    expect(ends.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(ends.map(({ phase }) => phase)).toEqual(Array.from({ length: 12 }, () => 'completed'));
    expect(new Set(ends.map(({ server }) => server)).size).toBeGreaterThan(1);
    expect(emulators.map(submissionsOf).reduce((all, count) => all + count, 0)).toBe(12);
  });

  it('finds, lists, cancels and downloads a job where it is', async () => {
    const { pool } = await poolOver(['one', 'two']);
    const job = await toPromise(pool.submit(picture()));
    const end = await lastValueFrom(job.states);
    expect(end).toMatchObject({ phase: 'completed', promptId: job.promptId });

    // Another pool over the same engines knows nothing of it yet.
    const { server } = end;
    const listed = await lastValueFrom(pool.jobs().pipe(toArray()));
    expect(listed).toMatchObject([{ promptId: job.promptId, server }]);
    const found = await lastValueFrom(pool.follow(job.promptId));
    expect(found).toMatchObject({ phase: 'completed', server });

    const dir = await mkdtemp(join(tmpdir(), 'pool-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    await lastValueFrom(pool.download(end, dir));
    expect(await readdir(dir)).toHaveLength(1);
    expect(await pool.cancel('00000000-0000-4000-8000-000000000000')()).toMatchObject({
      left: { _tag: 'NotFound' },
    });
  });

  it('goes on with the engines that are left', async () => {
    const { emulators, pool } = await poolOver(['one', 'two']);
    await emulators[0]?.close();
    const ends = await lastValueFrom(
      pool.runAll([picture(1), picture(2), picture(3)]).pipe(
        filter(({ state }) => isTerminal(state.phase)),
        toArray(),
      ),
    );
    expect(ends.map(({ state }) => `${state.phase} ${String(state.server)}`)).toEqual([
      'completed two',
      'completed two',
      'completed two',
    ]);
    const isDown = ([first]: readonly PoolServer[]): boolean => first?.health === 'down';
    expect(await firstValueFrom(pool.servers.pipe(filter(isDown)))).toMatchObject([{}, { health: 'up' }]);
  });

  it('refuses what all of them refuse as one of them does', async () => {
    const { emulators, pool } = await poolOver(['one', 'two']);
    await expect(lastValueFrom(pool.run(picture(0)))).rejects.toMatchObject({
      _tag: 'BadRequest',
      nodeErrors: { '3': {} },
    });
    expect(emulators.map(submissionsOf)).toEqual([1, 1]);
  });

  it('goes from inputs to files, wherever the job runs', async () => {
    const { emulators, pool } = await poolOver(['one', 'two']);
    const dir = await mkdtemp(join(tmpdir(), 'pool-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const photo = new Blob([new Uint8Array(PNG.sync.write(new PNG({ width: 8, height: 8 })))]);
    const workflow = {
      1: { class_type: 'LoadImage', inputs: { image: '' }, _meta: { title: 'Photo' } },
      2: { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
      3: {
        class_type: 'SaveImage',
        inputs: { images: ['2', 0], filename_prefix: 'a' },
        _meta: { title: 'Save' },
      },
    };
    const ends = await lastValueFrom(
      merge(
        ...['first', 'second', 'third'].map((folder) =>
          pool.generate(workflow, { inputs: { 'Photo.image': photo }, into: join(dir, folder) }).pipe(last()),
        ),
      ).pipe(toArray()),
    );
    expect(ends.map(({ phase, files = [] }) => [phase, files.length])).toEqual(
      Array.from({ length: 3 }, () => ['completed', 1]),
    );
    expect((await readdir(dir)).toSorted()).toEqual(['first', 'second', 'third']);
    const uploads = emulators.map(
      ({ requests }) => requests.filter(({ url }) => url === '/api/upload/image').length,
    );
    expect(uploads).toEqual([1, 1]);
  });

  it('sends a file again to an engine that was restarted with another disk', async () => {
    const { emulators, pool } = await poolOver(['one', 'two']);
    const content = new Blob([new Uint8Array(PNG.sync.write(new PNG({ width: 8, height: 8 })))]);
    const { name: image } = await toPromise(pool.upload({ content, filename: 'photo.png' }));
    const copy = (filename_prefix: string) => ({
      1: { class_type: 'LoadImage', inputs: { image } },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix } },
    });
    pool.pauseServer('one');
    expect(await lastValueFrom(pool.run(copy('a')))).toMatchObject({ phase: 'completed', server: 'two' });
    await restarted(emulators[1]!, 'nothing');
    expect(await lastValueFrom(pool.run(copy('b')))).toMatchObject({ phase: 'completed', server: 'two' });
    const uploads = emulators.map(
      ({ requests }) => requests.filter(({ url }) => url === '/api/upload/image').length,
    );
    expect(uploads).toEqual([1, 2]);
  });

  it('has the files of generate on an engine that comes later, and on one that has lost them', async () => {
    const { emulators, pool } = await poolOver(['one']);
    const later = await startEmulator({ dialect: 'local', engine: 'latest', speed: Infinity });
    onTestFinished(() => later.close());
    const photo = new Blob([new Uint8Array(PNG.sync.write(new PNG({ width: 8, height: 8 })))]);
    const generated = async (filename_prefix: string): Promise<unknown> => {
      const workflow = {
        1: { class_type: 'LoadImage', inputs: { image: '' } },
        2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix } },
      };
      const { phase, server } = await lastValueFrom(
        pool.generate(workflow, { inputs: { '1.image': photo } }),
      );
      return [phase, server];
    };
    const uploads = () =>
      [emulators[0]!, later].map(
        ({ requests }) => requests.filter(({ url }) => url === '/api/upload/image').length,
      );
    expect(await generated('a')).toEqual(['completed', 'one']);
    pool.addServer({ name: 'later', baseUrl: later.baseUrl, dialect: 'local' });
    pool.pauseServer('one');
    expect(await generated('b')).toEqual(['completed', 'later']);
    expect(uploads()).toEqual([1, 1]);
    await restarted(later, 'nothing');
    expect(await generated('c')).toEqual(['completed', 'later']);
    expect(uploads()).toEqual([1, 2]);
    // Where no engine has it any more, the program still does.
    await restarted(later, 'nothing');
    await restarted(emulators[0]!, 'nothing');
    pool.resumeServer('one');
    expect(await generated('d')).toEqual(['completed', expect.any(String)]);
  });

  it('refuses what no server can run before a file is uploaded', async () => {
    const { pool, emulators } = await poolOver(['one', 'two']);
    const workflow = {
      1: { class_type: 'LoadImage', inputs: { image: '' } },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
      3: { class_type: 'SaveAudio', inputs: { audio: ['1', 0] } },
    };
    const inputs = { '1.image': new Blob(['photo']) };
    const refused = async (options: { readonly ephemeral?: boolean }): Promise<unknown> =>
      lastValueFrom(pool.generate(workflow, { inputs, ...options })).catch((error: unknown) => error);
    expect(await refused({ ephemeral: true })).toMatchObject({ _tag: 'NotSupported' });
    await pool.drain();
    expect(await refused({})).toMatchObject({ _tag: 'Draining' });
    expect(emulators.flatMap(({ requests }) => requests.filter(({ method }) => method === 'POST'))).toEqual(
      [],
    );
  });

  it('refuses a misspelt input before a file is uploaded, and says which one is like it', async () => {
    const { pool, emulators } = await poolOver(['one', 'two']);
    const inputs = { 'Prompt.txt': 'a lighthouse', '11.image': new Blob(['photo']) };
    const workflow = { ...picture(), 11: { class_type: 'LoadImage', inputs: { image: '' } } };
    await expect(lastValueFrom(pool.generate(workflow, { inputs }))).rejects.toMatchObject({
      ...{ _tag: 'UnknownInput', input: 'txt', nearest: ['text'] },
    });
    expect(emulators.flatMap(({ requests }) => requests.filter(({ method }) => method === 'POST'))).toEqual(
      [],
    );
  });

  it('merges the frames of all engines, each with its server', async () => {
    const { pool } = await poolOver(['one', 'two']);
    const frame = firstValueFrom(
      pool.frames.pipe(filter((one) => one._tag === 'Event' && one.type === 'execution_success')),
    );
    const end = await lastValueFrom(pool.run(picture()));
    expect(await frame).toMatchObject({ server: end.server });
  });
});
