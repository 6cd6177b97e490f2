import { aJob } from './a-job.js';
import { describe, expect, it } from 'vitest';
import { createSizeFinder } from '../../../src/server/gateway/v2/output-sizes.js';
import { content } from '../../helpers/output-content.js';
import { left, right } from '../../../src/core/protocol/either.js';
import { outputsOfJob } from '../../../src/server/gateway/v2/output-documents.js';
import { readableContent } from '../../../src/core/http/view.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

/** A job with files of these names; of one with a size the service's record tells it. */
const jobOf = (files: readonly (readonly [name: string, size?: number])[], phase = 'completed' as const) => {
  const images = files.map(([filename, size]) => ({
    ...{ filename, subfolder: '', type: 'output' },
    ...(size !== undefined && { asset: { id: filename, size_bytes: size } }),
  }));
  return aJob({}, { phase, outputs: { 9: { images } } });
};

/** A finder over a service that has files of 10 bytes, but for those that are gone; and which ones it was asked for. */
const aFinder = (gone: readonly string[] = []) => {
  const asked: string[] = [];
  const finder = createSizeFinder({
    view: (_, { filename }) => {
      asked.push(filename);
      return () =>
        Promise.resolve(
          gone.includes(filename)
            ? left(serviceError('NotFound', {}))
            : right(readableContent({ ...content(['0123456789'], 10), etag: `"${filename}"` })),
        );
    },
  });
  return { ...finder, asked: () => asked.splice(0) };
};

describe('the sizes of outputs', () => {
  it('are asked for once where the record does not tell them, of a job that is over', async () => {
    const { of, asked } = aFinder();
    const job = jobOf([['a.png'], ['b.png', 7], ['c.png']]);
    const running = { ...job, state: { ...job.state, phase: 'in_progress' } } as const;
    expect([[...(await of(running))], asked()]).toEqual([[], []]);
    const ids = outputsOfJob(job).map(({ id }) => id);
    expect([...(await of(job))]).toEqual([
      [ids[0], 10],
      [ids[2], 10],
    ]);
    expect(asked()).toEqual(['a.png', 'c.png']);
    await Promise.all([of(job), of(job)]);
    expect(asked()).toEqual([]);
  });

  it('are asked for once also where two ask at the same time, or the service has the file no more', async () => {
    const { of, asked } = aFinder(['gone.png']);
    const job = jobOf([['a.png'], ['gone.png']]);
    await Promise.all([of(job), of(job)]);
    expect([...(await of(job)).values()]).toEqual([10]);
    expect(asked()).toEqual(['a.png', 'gone.png']);
  });

  it('are asked for 32 at a time, and the others the next time', async () => {
    const { of, asked } = aFinder();
    const job = jobOf(Array.from({ length: 40 }, (_, at) => [`${at}.png`] as const));
    await of(job);
    expect(asked()).toEqual(Array.from({ length: 32 }, (_, at) => `${at}.png`));
    await of(job);
    expect(asked()).toEqual(Array.from({ length: 8 }, (_, at) => `${32 + at}.png`));
  });

  it('are learned from what the service sends, with the ETag, as far as it tells them', () => {
    const { learn, known } = aFinder();
    expect(known('x')).toEqual({});
    learn('x', { size: 5 });
    expect(known('x')).toEqual({ size: 5 });
    learn('x', { etag: '"1"' });
    expect(known('x')).toEqual({ size: 5, etag: '"1"' });
    learn('y', { etag: '"2"' });
    expect(known('y')).toEqual({ etag: '"2"' });
  });

  it('are kept of the last 10,000 outputs', () => {
    const { learn, known } = aFinder();
    for (let at = 0; at <= 10_000; at += 1) learn(String(at), { size: at + 1, etag: '"e"' });
    expect([known('0'), known('1'), known('10000')]).toEqual([
      {},
      { size: 2, etag: '"e"' },
      { size: 10_001, etag: '"e"' },
    ]);
  });
});
