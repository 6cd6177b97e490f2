import { createClient, toPromise } from '../../src/node.js';
import { createPool } from '../../src/pool.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { distinct, firstValueFrom, lastValueFrom, map, take, toArray } from 'rxjs';
import { picture } from '../helpers/emulated.js';
import { startEmulator } from '../../src/emulator.js';

/** A pool of two engines, and a client of the second, as of another program. */
const twoServers = async () => {
  const start = () => startEmulator({ dialect: 'local', speed: Infinity });
  const [one, two] = await Promise.all([start(), start()]);
  const pool = createPool({
    servers: [
      { name: 'one', baseUrl: one.baseUrl, dialect: 'local' },
      { name: 'two', baseUrl: two.baseUrl, dialect: 'local' },
    ],
  });
  const client = createClient(two);
  onTestFinished(async () => {
    await Promise.all([pool.close(), client.close()]);
    await Promise.all([one.close(), two.close()]);
  });
  return { pool, client };
};

describe('a pool over engines', () => {
  it('follows a job that was submitted before, on the server that has it', async () => {
    const { pool, client } = await twoServers();
    const { promptId } = await toPromise(client.rest.submit(picture()));
    expect(await lastValueFrom(pool.follow(promptId))).toMatchObject({
      ...{ phase: 'completed', server: 'two', attempt: 1 },
    });
    expect(await toPromise(pool.serverOf(promptId))).toBe('two');
    const unknown = '00000000-0000-4000-8000-000000000000';
    await expect(lastValueFrom(pool.follow(unknown))).rejects.toMatchObject({ _tag: 'NotFound' });
  });

  it('tells in each state of generate which server has the job, and which submission it is', async () => {
    const { pool } = await twoServers();
    const states = await lastValueFrom(pool.generate(picture()).pipe(toArray()));
    const last = states.at(-1);
    expect(last).toMatchObject({ phase: 'completed', files: [{ nodeId: expect.any(String) as string }] });
    expect(['one', 'two']).toContain(last?.server);
    expect(states.map(({ attempt }) => attempt)).toEqual(states.map(() => 1));
    const placed = states.filter(({ phase }) => phase !== 'submitting');
    expect(placed.map(({ server }) => server)).toEqual(placed.map(() => last?.server));
  });

  it('merges the frames of all sockets, each with its server', async () => {
    const { pool } = await twoServers();
    const names = pool.frames.pipe(
      map(({ server }) => server),
      distinct(),
      take(2),
      toArray(),
    );
    expect((await firstValueFrom(names)).toSorted()).toEqual(['one', 'two']);
  });
});
