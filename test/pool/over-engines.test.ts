import {
  collectOutputs,
  createClient,
  previews,
  progress,
  toPromise,
  untilTerminal,
} from '../../src/node.js';
import { createPool } from '../../src/pool.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { distinct, filter, firstValueFrom, lastValueFrom, map, take, toArray } from 'rxjs';
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

  it('gives a job to the engine that replaces a class which all of them lack', async () => {
    const start = (engine: '0.9' | '0.26') => startEmulator({ dialect: 'local', engine, speed: Infinity });
    const [old, young] = await Promise.all([start('0.9'), start('0.26')]);
    const pool = createPool({
      servers: [
        { name: 'old', baseUrl: old.baseUrl, dialect: 'local' },
        { name: 'young', baseUrl: young.baseUrl, dialect: 'local' },
      ],
    });
    onTestFinished(async () => {
      await pool.close();
      await Promise.all([old.close(), young.close()]);
    });
    const inputs = { width: 64, height: 64, batch_size: 1, color: 0 };
    const workflow = {
      1: { class_type: 'EmptyImage', inputs },
      2: { class_type: 'ResizeImagesByLongerEdge', inputs: { images: ['1', 0], longer_edge: 32 } },
      3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'a' } },
    };
    for (let job = 0; job < 3; job += 1)
      expect(await lastValueFrom(pool.run(workflow))).toMatchObject({ phase: 'completed', server: 'young' });
    const lost = { ...workflow, 2: { ...workflow[2], class_type: 'NoSuchClass' } };
    expect(await pool.submit(lost)()).toMatchObject({ left: { _tag: 'InvalidWorkflow' } });
  });

  it('gives frames and states to the operators as a client does', async () => {
    const { pool } = await twoServers();
    const job = pool.start(picture(), { previewMethod: 'auto' });
    const told = lastValueFrom(job.frames.pipe(untilTerminal(), collectOutputs()));
    const shown = lastValueFrom(job.frames.pipe(untilTerminal(), previews(), toArray()));
    const bars = lastValueFrom(job.states.pipe(progress(), toArray()));
    const { outputs, promptId } = await lastValueFrom(job.states);
    expect(await told).toEqual(outputs);
    expect((await shown).length).toBeGreaterThan(0);
    expect((await bars).at(-1)).toMatchObject({ value: 1 });
    const next = toPromise(pool.submit(picture(7)));
    const frames = pool.frames.pipe(
      map((frame) => ({ frame, id: frame._tag === 'Event' ? frame.promptId : undefined })),
      filter(({ id }) => id !== undefined && id !== promptId),
      take(1),
    );
    const [{ id = '' }] = await Promise.all([firstValueFrom(frames), next]);
    expect((await next).promptId).toBe(id);
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
