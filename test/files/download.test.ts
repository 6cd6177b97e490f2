import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { causeOf } from '../helpers/cause-of.js';
import { content, output } from '../helpers/output-content.js';
import { download } from '../../src/core/files/download.js';
import * as E from 'fp-ts/lib/Either.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { FileBytes, ViewFile } from '../../src/core/http/rest.js';
import type { Files } from '../../src/core/platform/platform.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { isServiceError, serviceError } from '../../src/core/errors/service-error.js';
import { join } from 'node:path';
import { lastValueFrom, type Observable, take, toArray } from 'rxjs';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { nodeFiles } from '../../src/core/platform/node/files.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { tmpdir } from 'node:os';

let dir = '';
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'promptwire-download-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const gone = serviceError('DownloadFailed', { filename: 'x', reason: 'it is gone', status: 404 });
const cut = serviceError('DownloadFailed', { filename: 'x', reason: 'it was cut' });

/** Serves what `answer` gives for each ask, and counts. */
const setUp = (
  answer: (
    filename: string,
    nth: number,
  ) => E.Either<ServiceError, FileBytes> | Promise<E.Either<ServiceError, FileBytes>>,
  files: Files = nodeFiles,
) => {
  const asked: string[] = [];
  let open = 0;
  let most = 0;
  const view: ViewFile =
    ({ filename }) =>
    async () => {
      asked.push(filename);
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      const result = await answer(filename, asked.filter((name) => name === filename).length);
      open -= 1;
      return result;
    };
  const platform = { ...fakePlatform(), files };
  return { save: download({ platform, view }), asked, most: () => most, clock: platform.clock };
};

/** Outputs of one node that made these pictures. */
const listed = (...filenames: readonly string[]) => ({
  '9': { images: filenames.map((filename) => ({ filename })) },
});

const all = <A>(stream: Observable<A>): Promise<A[]> =>
  lastValueFrom(stream.pipe(toArray()), { defaultValue: [] });

describe('download', () => {
  it('is cold, saves each file under its name and tells how far it is', async () => {
    const { save, asked } = setUp(() => E.right(content(['one ', 'two'], 7)));
    const stream = save([output('a.txt'), output('b.txt')], join(dir, 'new'));
    expect(asked).toEqual([]);
    const states = await all(stream);
    expect(states[0]).toEqual({ done: false, files: [], total: 2, receivedBytes: 0, expectedBytes: 0 });
    expect(states.at(-1)).toMatchObject({ done: true, total: 2, receivedBytes: 14, expectedBytes: 14 });
    expect(states.slice(0, -1).every(({ done }) => !done)).toBe(true);
    const saved = states.at(-1)?.files.map(({ path, bytes, verified }) => ({ path, bytes, verified })) ?? [];
    expect(saved.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
      { path: join(dir, 'new', 'a.txt'), bytes: 7, verified: true },
      { path: join(dir, 'new', 'b.txt'), bytes: 7, verified: true },
    ]);
    expect(await readFile(join(dir, 'new', 'a.txt'), 'utf8')).toBe('one two');
    expect((await readdir(join(dir, 'new'))).sort()).toEqual(['a.txt', 'b.txt']);
  });

  it('is done at once with nothing to fetch', async () => {
    const states = await all(setUp(() => E.left(gone)).save([], dir));
    expect(states).toEqual([{ done: true, files: [], total: 0, receivedBytes: 0, expectedBytes: 0 }]);
  });

  it('asks for no folder that nothing needs, so that none can fail behind its back', async () => {
    const folders: string[] = [];
    const files: Files = {
      ...nodeFiles,
      folder: (path) => {
        folders.push(path);
        return Promise.reject(new Error('it cannot be made'));
      },
    };
    const { save } = setUp(() => E.right(content(['x'])), files);
    expect(await all(save([], dir))).toHaveLength(1);
    save([output('a')], dir)
      .pipe(take(1))
      .subscribe();
    expect(folders).toEqual([]);
  });

  it('marks what could not be checked', async () => {
    const states = await all(setUp(() => E.right(content(['x']))).save([output('a')], dir));
    expect(states.at(-1)?.files[0]?.verified).toBe(false);
  });

  it('keeps every file inside the folder and apart from the others', async () => {
    await writeFile(join(dir, 'x.txt'), 'old');
    const names = ['../../x.txt', 'X.txt', '/etc/passwd', '..', 'x.txt'];
    const states = await all(setUp((name) => E.right(content([name]))).save(names.map(output), dir));
    expect((await readdir(dir)).length).toBe(6);
    expect(await readFile(join(dir, 'x.txt'), 'utf8')).toBe('old');
    const paths = states.at(-1)?.files.map(({ path }) => path) ?? [];
    expect(new Set(paths).size).toBe(5);
    for (const path of paths) expect(join(path, '..')).toBe(dir);
  });

  it('names files by a function of the file, the job and the place, made safe and kept apart', async () => {
    const { save } = setUp((name) => E.right(content([name])));
    const job = { ...initialJobState({ promptId: 'p-1' }), outputs: listed('a.txt', 'b.txt', 'c.txt') };
    const named: unknown[] = [];
    const states = await all(
      save(job, dir, {
        name: (file, of, index) => {
          named.push([file.filename, of === job, index]);
          return index === 0 ? `../../${of.promptId}.txt` : 'same.txt';
        },
      }),
    );
    expect(named).toEqual([
      ['a.txt', true, 0],
      ['b.txt', true, 1],
      ['c.txt', true, 2],
    ]);
    expect((await readdir(dir)).sort()).toEqual(['p-1.txt', 'same.txt', 'same~2.txt']);
    expect(await readFile(join(dir, 'same~2.txt'), 'utf8')).toBe('c.txt');
    expect(
      states
        .at(-1)
        ?.files.map(({ filename }) => filename)
        .sort(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it.each([
    [undefined, ['a.txt']],
    ['temp', ['a.txt', 't.txt']],
  ] as const)(
    'R2: of a job and of outputs fetches what include (%s) says, of a list all',
    async (include, names) => {
      const { save, asked } = setUp((name) => E.right(content([name])));
      const outputs = { '9': { images: [{ filename: 'a.txt' }, { filename: 't.txt', type: 'temp' }] } };
      const job = { promptId: 'p-1', outputs };
      expect((await all(save(job, dir, { include }))).at(-1)?.total).toBe(names.length);
      expect((await all(save(outputs, dir, { include }))).at(-1)?.total).toBe(names.length);
      expect(asked.toSorted()).toEqual([...names, ...names].toSorted());
      const list = [output('b.txt'), { ...output('u.txt'), type: 'temp' }];
      expect((await all(save(list, dir, { include }))).at(-1)?.total).toBe(2);
    },
  );

  it('fetches only the files that the filter lets through, and counts no other', async () => {
    const { save, asked } = setUp((name) => E.right(content([name])));
    const temp = { ...output('t.txt'), type: 'temp' };
    const states = await all(
      save([temp, output('a.txt'), output('b.txt')], dir, {
        filter: ({ type }) => type === 'output',
        name: ({ filename }, _, index) => `${index}-${filename}`,
      }),
    );
    expect(asked.toSorted()).toEqual(['a.txt', 'b.txt']);
    expect(states.map(({ total }) => total)).toEqual(states.map(() => 2));
    expect((await readdir(dir)).sort()).toEqual(['0-a.txt', '1-b.txt']);
  });

  it('shows the files of a state at the nodes of the submitted workflow', async () => {
    const { save } = setUp((name) => E.right(content([name])));
    const nodes = { '9': { displayNodeId: '4' } };
    const states = await all(save({ promptId: 'p-1', outputs: listed('a.txt'), nodes }, dir));
    expect(states.at(-1)?.files[0]).toMatchObject({ nodeId: '9', displayNodeId: '4' });
  });

  it('errors with what the function that names a file throws, before anything is asked for', async () => {
    const { save, asked } = setUp((name) => E.right(content([name])));
    const name = () => {
      throw new Error('no name');
    };
    expect(await causeOf(lastValueFrom(save([output('a.txt')], dir, { name })))).toEqual(
      new Error('no name'),
    );
    expect(asked).toEqual([]);
  });

  it('replaces files where it is asked to', async () => {
    await writeFile(join(dir, 'a'), 'old');
    await all(setUp(() => E.right(content(['new']))).save([output('a')], dir, { overwrite: true }));
    expect(await readFile(join(dir, 'a'), 'utf8')).toBe('new');
    expect(await readdir(dir)).toEqual(['a']);
  });

  it('fetches so many at once', async () => {
    const many = Array.from({ length: 12 }, (_, index) => output(`${index}.txt`));
    const byDefault = setUp(() => E.right(content(['x'])));
    await all(byDefault.save(many, dir));
    expect(byDefault.most()).toBe(4);
    const single = setUp(() => E.right(content(['x'])));
    await all(single.save(many, dir, { concurrency: 1 }));
    expect(single.most()).toBe(1);
  });

  it('asks anew for what was spoiled, three times at most', async () => {
    const broken = (): FileBytes => ({
      ...content([]),
      // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
      body: (async function* () {
        yield new Uint8Array(3);
        throw cut;
      })(),
    });
    const healing = setUp((_, nth) => (nth < 3 ? E.right(broken()) : E.right(content(['whole'], 5))));
    const running = all(healing.save([output('a')], dir));
    await settle(healing.clock, () => healing.asked.length === 3);
    expect((await running).at(-1)).toMatchObject({ done: true, receivedBytes: 5 });
    expect(await readdir(dir)).toEqual(['a']);

    const hopeless = setUp(() => E.left(cut));
    const failing = causeOf(all(hopeless.save([output('b')], dir)));
    await settle(hopeless.clock, () => hopeless.asked.length === 4);
    expect(await failing).toBe(cut);
    expect(hopeless.asked).toHaveLength(4);
  });

  it('finishes the others before it errors with the one that failed', async () => {
    const { save, asked } = setUp((name) => (name === 'bad' ? E.left(gone) : E.right(content(['x']))));
    const states: unknown[] = [];
    const cause = await new Promise((resolve) => {
      save([output('bad'), output('a'), output('b')], dir, { concurrency: 1 }).subscribe({
        next: (state) => states.push(state),
        error: resolve,
      });
    });
    expect(cause).toBe(gone);
    expect(asked).toEqual(['bad', 'a', 'b']);
    expect(states.at(-1)).toMatchObject({ done: false, total: 3 });
    expect((await readdir(dir)).sort()).toEqual(['a', 'b']);
  });

  it('lists the files where several failed', async () => {
    const { save } = setUp(() => E.left(gone));
    const cause = await causeOf(all(save([output('a'), output('b')], dir)));
    expect(isServiceError(cause) && cause).toMatchObject({ _tag: 'DownloadFailed', filename: 'a' });
    expect((cause as Error).message).toMatch(/^2 of 2 files .* a: .* b: /u);
  });

  it('says that no other try helps where none helps any of the files', async () => {
    const retryOf = async (names: readonly string[], maxBytes: number): Promise<unknown> => {
      const { save } = setUp((filename) =>
        filename === 'gone' ? E.left(gone) : E.right(content(['x'.repeat(11)], 11)),
      );
      const cause = await causeOf(
        all(
          save(
            names.map((name) => output(name)),
            dir,
            { maxBytes },
          ),
        ),
      );
      return isServiceError(cause) && cause.retry;
    };
    expect(await retryOf(['a', 'b'], 10)).toBe('never');
    expect(await retryOf(['a', 'gone', 'b'], 10)).toBe('after');
  });

  it('refuses files above the limit, announced or not, and leaves nothing', async () => {
    for (const size of [11, undefined]) {
      const { save } = setUp(() => E.right(content(['x'.repeat(6), 'x'.repeat(5)], size)));
      const cause = await causeOf(all(save([output('a')], dir, { maxBytes: 10 })));
      expect(cause).toMatchObject({ _tag: 'DownloadFailed', reason: 'larger than maxBytes', retry: 'never' });
      expect(await readdir(dir)).toEqual([]);
    }
  });

  it('types what the disk refuses, and removes the part', async () => {
    await writeFile(join(dir, 'file'), '');
    const folder = await causeOf(
      all(setUp(() => E.right(content(['x']))).save([output('a')], join(dir, 'file'))),
    );
    expect(folder).toMatchObject({ _tag: 'FileSystem', code: 'EEXIST', path: join(dir, 'file') });

    let discarded = 0;
    const full: Files = {
      ...nodeFiles,
      create: () =>
        Promise.resolve({
          write: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
          commit: () => Promise.reject(new Error('unused')),
          discard: () => {
            discarded += 1;
            return Promise.resolve();
          },
        }),
    };
    const { save, asked } = setUp(() => E.right(content(['x'])), full);
    expect(await causeOf(all(save([output('a')], dir)))).toMatchObject({
      _tag: 'FileSystem',
      code: 'ENOSPC',
    });
    expect([asked.length, discarded]).toEqual([1, 1]);
  });

  it('errors with Aborted by its signal', async () => {
    const controller = new AbortController();
    const { save } = setUp(() => {
      controller.abort();
      return E.left(serviceError('Aborted', { sent: true }));
    });
    expect(await causeOf(all(save([output('a')], dir, { signal: controller.signal })))).toMatchObject({
      _tag: 'Aborted',
    });
  });

  it('stops everything and removes the part when it is unsubscribed', async () => {
    let tell: (name: string) => void = () => undefined;
    const removed = new Promise<string>((resolve) => (tell = resolve));
    let aborted = false;
    const files: Files = {
      ...nodeFiles,
      create: async (folder, name) => {
        const part = await nodeFiles.create(folder, name);
        return {
          ...part,
          discard: async () => {
            await part.discard();
            tell(name);
          },
        };
      },
    };
    const view: ViewFile = (_, options) => () =>
      Promise.resolve(
        E.right({
          ...content([]),
          body: (async function* () {
            yield new Uint8Array(3);
            await new Promise((_resolve, reject) => {
              options?.signal?.addEventListener('abort', () => {
                aborted = true;
                reject(serviceError('Aborted', { sent: true }));
              });
            });
          })(),
        }),
      );
    const stream = download({ platform: { ...fakePlatform(), files }, view })([output('a')], dir);
    const subscription = stream.subscribe(({ receivedBytes }) => {
      if (receivedBytes === 3) queueMicrotask(() => subscription.unsubscribe());
    });
    expect(await removed).toBe('a');
    expect(aborted).toBe(true);
    expect(await readdir(dir)).toEqual([]);
  });

  it('says so where there is no disk', async () => {
    const view: ViewFile = () => () => Promise.resolve(E.left(gone));
    const cause = await causeOf(all(download({ platform: fakePlatform(), view })([output('a')], dir)));
    expect(cause).toMatchObject({ _tag: 'InvalidConfig', option: 'dir' });
  });
});

/** Lets virtual time pass, and the disk do its work, until it is so. */
const settle = async (
  clock: { readonly advance: (ms: number) => Promise<void> },
  when: () => boolean,
): Promise<void> => {
  while (!when()) await clock.advance(1000);
};
