import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadState } from '../../src/core/files/download-state.js';
import type { Files, PartFile } from '../../src/core/platform/platform.js';
import { fileService, outputNamed, pngBytes } from '../helpers/file-service.js';
import { forkJoin, lastValueFrom } from 'rxjs';
import { join } from 'node:path';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { nodeFiles } from '../../src/core/platform/node/files.js';
import { tmpdir } from 'node:os';

let dir = '';
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'promptwire-limits-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/**
 * A real disk that counts the files that are being written, and tells when none is. The first files wait
 * for each other until `atOnce` are open, so that a quick one never ends before the last of them begins.
 */
const counting = (atOnce = 1) => {
  let open = 0;
  let most = 0;
  let told = (): void => undefined;
  let gather = (): void => undefined;
  const gathered = new Promise<void>((resolve) => (gather = resolve));
  const closed = <A>(value: A): A => {
    open -= 1;
    if (open === 0) told();
    return value;
  };
  const files: Files = {
    ...nodeFiles,
    create: async (...args) => {
      most = Math.max(most, (open += 1));
      if (open === atOnce) gather();
      await gathered;
      const part = await nodeFiles.create(...args);
      return {
        ...part,
        commit: () => part.commit().then(closed),
        discard: () => part.discard().then(closed),
      } satisfies PartFile;
    },
  };
  const idle = (): Promise<void> =>
    open === 0 ? Promise.resolve() : new Promise((resolve) => (told = resolve));
  return { files, most: () => most, idle };
};

const many = (count: number, prefix = 'f') =>
  Array.from({ length: count }, (_, nth) => outputNamed(`${prefix}${nth}.png`));

describe('downloads of one client', () => {
  it('G18 fetch four files at once, however many there are and in how many calls', async () => {
    const { files, most } = counting(4);
    await using service = await fileService(() => ({ bytes: pngBytes(5_000) }), { files });
    const states = await lastValueFrom(
      forkJoin([
        service.save(many(70, 'a'), dir),
        service.save(many(70, 'b'), dir),
        service.save(many(60, 'c'), dir),
      ]),
    );
    expect(states.map(({ done, files: { length } }) => [done, length])).toEqual([
      [true, 70],
      [true, 70],
      [true, 60],
    ]);
    expect(most()).toBe(4);
    expect(await readdir(dir)).toHaveLength(200);
  });

  it('G18 fetch more at once only for who asks for it', async () => {
    const { files, most } = counting(7);
    await using service = await fileService(() => ({ bytes: pngBytes(50_000) }), { files });
    await lastValueFrom(service.save(many(20), dir, { concurrency: 7 }));
    expect(most()).toBe(7);
  });

  it('G18 G19 give their place back when they are left', async () => {
    const { files, idle } = counting();
    await using service = await fileService(
      (nth) => ({ bytes: pngBytes(50_000), ...(nth <= 4 && { cutAt: 49_999 }) }),
      {
        files,
      },
    );
    await new Promise<void>((resolve) => {
      const watching = service.save(many(4, 'left'), dir).subscribe(({ receivedBytes }) => {
        if (receivedBytes === 0) return;
        watching.unsubscribe();
        resolve();
      });
    });
    await idle();
    const { done } = await lastValueFrom(service.save(many(4), dir));
    expect(done).toBe(true);
    expect((await readdir(dir)).sort()).toEqual(['f0.png', 'f1.png', 'f2.png', 'f3.png']);
  });
});

describe('a download that is left', () => {
  const size = 200_000;
  const points = [0, 1, 20_000, 65_536, 100_000, 131_072, 199_999, size];

  it.each(points)(
    'G19 at byte %d leaves no part file and no open connection (unsubscribed)',
    async (point) => {
      const { files, idle } = counting();
      await using service = await fileService(() => ({ bytes: pngBytes(size) }), { files });
      await new Promise<void>((resolve) => {
        const watching = service.save([outputNamed('a.png')], dir).subscribe({
          next: ({ receivedBytes }: DownloadState) => {
            if (receivedBytes < point) return;
            queueMicrotask(() => {
              watching.unsubscribe();
              resolve();
            });
          },
        });
      });
      await idle();
      expect((await readdir(dir)).filter((name) => name.endsWith('.part'))).toEqual([]);
      await service.answered();
    },
  );

  it.each(points)('G19 at byte %d leaves no part file and no open connection (aborted)', async (point) => {
    const { files, idle } = counting();
    await using service = await fileService(() => ({ bytes: pngBytes(size) }), { files });
    const controller = new AbortController();
    const end = await new Promise<unknown>((resolve) => {
      service.save([outputNamed('a.png')], dir, { signal: controller.signal }).subscribe({
        next: ({ receivedBytes }) => {
          if (receivedBytes >= point) controller.abort();
        },
        error: resolve,
        complete: () => resolve('complete'),
      });
    });
    await idle();
    // Who aborts after the last byte may be too late.
    if (end !== 'complete' || point < size) expect(end).toMatchObject({ _tag: 'Aborted' });
    expect(await readdir(dir)).toEqual(end === 'complete' ? ['a.png'] : []);
    await service.answered();
  });
});
