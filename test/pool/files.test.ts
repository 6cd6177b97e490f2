import { describe, expect, it } from 'vitest';
import { filter, firstValueFrom, lastValueFrom, tap } from 'rxjs';
import { workflowOf } from './engine.js';
import type { Pool, PoolJobState } from '../../src/client/pool/pool-types.js';
import { type PlayedPool, poolOf } from './pool-of.js';
import { toPromise, type Workflow } from '../../src/index.js';

const two = [{ name: 'one' }, { name: 'two' }];

/** A job that loads a file. */
const loads = (image: string, job = 'job'): Workflow => ({
  ...workflowOf(job),
  photo: { class_type: 'LoadImage', inputs: { image } },
});

/** Uploads a photo, which goes to the first server. */
const upload = async ({ clock, pool }: PlayedPool): Promise<void> => {
  await clock.until(toPromise(pool.upload({ content: new Blob(['photo']), filename: 'photo.png' })));
};

/** Lets these servers alone take jobs. */
const only = (pool: Pool, ...names: readonly string[]): void => {
  for (const { name } of two)
    if (names.includes(name)) pool.resumeServer(name);
    else pool.pauseServer(name);
};

/** The last state of a job that loads the photo, or the tag of its error. */
const end = ({ clock, pool }: PlayedPool, job?: string): Promise<PoolJobState | string> =>
  clock.until(
    lastValueFrom(pool.run(loads('photo.png', job))).catch(
      (error: unknown) => (error as { readonly _tag: string })._tag,
    ),
  );

describe('the files of a pool', () => {
  it('are copied once to a server that gets a job with them', async () => {
    const played = poolOf(two);
    await upload(played);
    only(played.pool, 'two');
    for (const job of ['a', 'b']) expect(await end(played, job)).toMatchObject({ server: 'two' });
    expect(two.map(({ name }) => played.at(name).uploads)).toEqual([['photo.png'], ['photo.png']]);
  });

  it('are copied again to a server that has lost them, as one with another disk', async () => {
    const played = poolOf(two);
    await upload(played);
    only(played.pool, 'two');
    await end(played);
    played.at('two').loseDisk();
    expect(await end(played)).toMatchObject({ phase: 'completed', server: 'two', attempt: 1 });
    expect(played.at('two').uploads).toHaveLength(2);
    only(played.pool, 'one');
    played.at('one').loseDisk();
    expect(await end(played)).toMatchObject({ phase: 'completed', server: 'one' });
    expect(played.at('one').uploads).toHaveLength(2);
  });

  it('that all servers have lost are what the job is refused for, as each of them does', async () => {
    const played = poolOf([{ name: 'one' }]);
    await upload(played);
    played.at('one').loseDisk();
    expect(await end(played)).toBe('BadRequest');
    expect(played.at('one').submissions()).toBe(0);
  });

  it('that are on an unreachable server alone let their job wait for that one', async () => {
    const played = poolOf(two);
    const { clock, pool, at } = played;
    await upload(played);
    at('one').kill();
    await clock.until(firstValueFrom(pool.servers.pipe(filter(([one]) => one?.health === 'down'))));
    const reasons = new Set<string>();
    const note = ({ queue }: PoolJobState): unknown =>
      queue?.reason !== undefined && reasons.add(queue.reason);
    const running = lastValueFrom(pool.run(loads('photo.png')).pipe(tap(note)));
    await clock.advance(60_000);
    expect([...reasons]).toEqual([expect.stringMatching(/^It waits for one, which is down/u)]);
    // Others go on meanwhile.
    await clock.until(lastValueFrom(pool.run(workflowOf('other'))));
    at('one').start();
    expect(await clock.until(running)).toMatchObject({ phase: 'completed', server: 'one', attempt: 1 });
    expect([at('one').submissions(), at('two').submissions()]).toEqual([1, 1]);
  });

  it('that were on a removed server alone are missing', async () => {
    const played = poolOf(two);
    await upload(played);
    await played.clock.until(played.pool.removeServer('one'));
    expect(await end(played)).toBe('DownloadFailed');
  });
});
