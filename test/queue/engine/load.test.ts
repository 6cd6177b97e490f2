import { expect, it } from 'vitest';
import { loadPackages } from '../../../src/server/queue/engine/load.js';

it('gives both packages of a queue', async () => {
  const [bullmq, ioredis] = [await import('bullmq'), await import('ioredis')];
  const packages = await loadPackages();
  expect(packages.bullmq.Queue).toBe(bullmq.Queue);
  expect(packages.ioredis.Redis).toBe(ioredis.Redis);
});

it.each(['bullmq', 'ioredis'])(
  'names %s where it is not installed, and how to install both',
  async (name) => {
    const cause = new Error('Cannot find package');
    const load = (own: string) => (): Promise<never> =>
      own === name ? Promise.reject(cause) : (Promise.resolve({}) as Promise<never>);
    await expect(loadPackages(load('bullmq'), load('ioredis'))).rejects.toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'connection', cause },
      message: `A queue needs the package ${name}, which is not installed.`,
      hint: 'Install both packages of a queue: npm install bullmq@6 ioredis@6',
    });
  },
);
