import { describe, expect, it } from 'vitest';
import { lastValueFrom, toArray } from 'rxjs';
import { type Member, poolOf } from './pool-of.js';
import type { Engine } from './engine.js';
import type { Pool, PoolJobState, PoolOptions } from '../../src/client/pool/pool-types.js';
import type { PoolServer } from '../../src/core/state/pool-server.js';
import { workflowOf } from './engine.js';

const run = (pool: Pool, name: string, options = {}): Promise<PoolJobState[]> =>
  lastValueFrom(pool.run(workflowOf(name, options)).pipe(toArray()));

const jobsOf = ({ runs }: Engine): readonly string[] => runs.map(({ job, end }) => `${job} ${String(end)}`);

const two = (members: Partial<Member> = {}, options: Omit<PoolOptions, 'servers'> = {}) =>
  poolOf(
    [
      { name: 'one', ...members },
      { name: 'two', ...members },
    ],
    options,
  );

describe('a server that fails', () => {
  it('gets no jobs while it is down; they go to another, and the states of what waits say why', async () => {
    const { clock, pool, at } = two();
    at('one').kill();
    const ends = await clock.until(Promise.all(['a', 'b', 'c', 'd'].map((name) => run(pool, name))));
    expect(ends.map((states) => states.at(-1)?.server)).toEqual(['two', 'two', 'two', 'two']);
    at('two').kill();
    const waiting: PoolJobState[] = [];
    const last = lastValueFrom(pool.run(workflowOf('e')).pipe(toArray()));
    const watching = pool.run(workflowOf('f')).subscribe((state) => waiting.push(state));
    await clock.advance(20_000);
    expect(waiting.at(-1)?.queue?.reason).toMatch(
      /^It waits for one, which is down .*; or two, which is down/u,
    );
    at('one').start();
    expect((await clock.until(last)).at(-1)).toMatchObject({ phase: 'completed', server: 'one', attempt: 1 });
    watching.unsubscribe();
  });

  it('that forgot a job loses it: the job runs once more, elsewhere or there, and says so', async () => {
    const { clock, pool, at } = two();
    const both = Promise.all([run(pool, 'a', { workMs: 5_000 }), run(pool, 'b', { workMs: 5_000 })]);
    await clock.advance(1_000);
    at('one').kill();
    await clock.advance(10_000);
    at('one').start();
    const [a] = await clock.until(both);
    expect(a.at(-1)).toMatchObject({ phase: 'completed', attempt: 2 });
    expect(a.map(({ phase, attempt }) => `${phase} ${attempt}`)).toEqual([
      ...['submitting 1', 'pending 1', 'in_progress 1'],
      ...['submitting 2', 'pending 2', 'in_progress 2', 'completed 2'],
    ]);
    const all = [...jobsOf(at('one')), ...jobsOf(at('two'))].toSorted();
    expect(all).toEqual(['a completed', 'a killed', 'b completed']);
  });

  it('that was restarted gives back what it held within seconds, what ran and what waited there', async () => {
    const { clock, pool, at } = two();
    pool.pauseServer('two');
    await clock.until(run(pool, 'teaches', { workMs: 1_500 }));
    const both = Promise.all([run(pool, 'runs', { workMs: 1_500 }), run(pool, 'waits', { workMs: 1_500 })]);
    await clock.advance(1_000);
    expect(at('one').mostHeld()).toBe(2);
    at('one').kill();
    await clock.advance(500);
    at('one').start();
    pool.resumeServer('two');
    await clock.advance(5_000);
    expect([...jobsOf(at('one')), ...jobsOf(at('two'))].toSorted()).toEqual([
      ...['runs completed', 'runs killed', 'teaches completed', 'waits completed'],
    ]);
    expect((await both).map((states) => states.at(-1))).toMatchObject([{ attempt: 2 }, { attempt: 2 }]);
  });

  it('that was restarted so quickly that no call failed gives back what it held as soon', async () => {
    const { clock, pool, at } = two();
    const both = Promise.all([run(pool, 'a', { workMs: 1_500 }), run(pool, 'b', { workMs: 1_500 })]);
    await clock.advance(1_000);
    at('one').restart();
    await clock.advance(5_000);
    expect([...jobsOf(at('one')), ...jobsOf(at('two'))].toSorted()).toEqual([
      ...['a completed', 'a killed', 'b completed'],
    ]);
    expect((await both).map((states) => states.at(-1))).toMatchObject([{ attempt: 2 }, { attempt: 1 }]);
  });

  it('that was only out of reach keeps its jobs, though it is asked for them', async () => {
    const { clock, pool, at } = two();
    const both = Promise.all([run(pool, 'a', { workMs: 60_000 }), run(pool, 'b', { workMs: 60_000 })]);
    await clock.advance(1_000);
    at('one').cut();
    await clock.advance(5_000);
    at('one').mend();
    const [a] = await clock.until(both);
    expect(a.at(-1)).toMatchObject({ phase: 'completed', server: 'one', attempt: 1 });
    expect(jobsOf(at('one'))).toEqual(['a completed']);
  });

  it('that is frozen keeps its job: it runs only there', async () => {
    const { clock, pool, at } = two();
    const both = Promise.all([run(pool, 'a', { workMs: 5_000 }), run(pool, 'b', { workMs: 5_000 })]);
    await clock.advance(1_000);
    at('one').freeze();
    await clock.advance(600_000);
    at('one').thaw();
    const [a] = await clock.until(both);
    expect(a.at(-1)).toMatchObject({ phase: 'completed', server: 'one', attempt: 1 });
    expect(jobsOf(at('one'))).toEqual(['a completed']);
  });

  it('that is away for longer than giveUpAfterMs loses its job; an end that comes later is only counted', async () => {
    const { clock, pool, at } = two({}, { rules: { giveUpAfterMs: 60_000 } });
    const both = Promise.all([run(pool, 'a', { workMs: 5_000 }), run(pool, 'b', { workMs: 5_000 })]);
    await clock.advance(1_000);
    at('one').freeze();
    const [a] = await clock.until(both);
    expect(a.at(-1)).toMatchObject({ phase: 'completed', server: 'two', attempt: 2 });
    at('one').thaw();
    const seen: (readonly PoolServer[])[] = [];
    const watching = pool.servers.subscribe((servers) => seen.push(servers));
    await clock.advance(20_000);
    watching.unsubscribe();
    expect(seen.at(-1)?.[0]).toMatchObject({ lost: 1, lateEnds: 1, running: 0 });
    expect(jobsOf(at('one'))[0]).toBe('a completed');
  });

  it('that costs money never runs a lost job again', async () => {
    const { clock, pool, at } = two({ dialect: 'cloud' });
    const both = Promise.all([run(pool, 'a', { workMs: 5_000 }), run(pool, 'b', { workMs: 5_000 })]);
    await clock.advance(1_000);
    at('one').kill();
    await clock.advance(10_000);
    at('one').start();
    const [a] = await clock.until(both);
    expect(a.at(-1)).toMatchObject({ phase: 'untraceable', attempt: 1 });
    expect(at('one').submissions() + at('two').submissions()).toBe(2);
  });

  it('is trusted later each time that it went down again', async () => {
    const { clock, pool, at } = two();
    const seen: string[] = [];
    const watching = pool.servers.subscribe((servers) => seen.push(servers[0]?.health ?? ''));
    for (let time = 0; time < 4; time += 1) {
      at('one').kill();
      await clock.advance(15_000);
      at('one').start();
      await clock.advance(15_000);
    }
    pool.pauseServer('two');
    expect((await clock.until(run(pool, 'patient'))).at(-1)).toMatchObject({
      phase: 'completed',
      server: 'one',
    });
    watching.unsubscribe();
    expect(seen).toContain('trusted later');
  });
});

describe('a server that goes away before it has told its classes', () => {
  it('is not asked without end, and the job waits for it', async () => {
    const { clock, pool, at } = poolOf([{ name: 'one', models: ['base.safetensors'] }]);
    const watching = pool.servers.subscribe();
    await clock.advance(100);
    at('one').kill();
    const states = run(pool, 'a');
    await clock.advance(5_000);
    at('one').start();
    expect((await clock.until(states)).at(-1)).toMatchObject({ phase: 'completed', attempt: 1 });
    watching.unsubscribe();
  });
});

describe('a job that fails', () => {
  it('for memory is tried once more on a server with more of it', async () => {
    const { clock, pool, at } = poolOf([
      { name: 'small', memory: 8 },
      { name: 'large', memory: 24, speed: 0.01 },
    ]);
    await clock.until(run(pool, 'first', { memory: 1 }));
    const states = await clock.until(run(pool, 'big', { memory: 16, workMs: 100 }));
    expect(states.at(-1)).toMatchObject({ phase: 'completed', server: 'large' });
    const tooBig = await clock.until(run(pool, 'too big', { memory: 99, workMs: 100 }));
    expect(tooBig.at(-1)).toMatchObject({ phase: 'failed' });
    expect(jobsOf(at('large')).filter((job) => job.startsWith('too big'))).toHaveLength(1);
  });
});

describe('work that fails on one server', () => {
  it('is kept from it for a while, which ends by itself; where no other is left it goes there', async () => {
    const { clock, pool, at } = poolOf([
      { name: 'broken', speed: 10 },
      { name: 'well', memory: 8 },
    ]);
    const phases = async (name: string): Promise<string> => {
      const end = (await clock.until(run(pool, name, { memory: 1 }))).at(-1);
      return `${String(end?.phase)} ${String(end?.server)}`;
    };
    expect(await phases('first')).toBe('failed broken');
    expect(await phases('second')).toBe('completed well');
    await clock.advance(40_000);
    pool.pauseServer('well');
    expect(await phases('third')).toBe('failed broken');
    expect(await phases('fourth')).toBe('failed broken');
    pool.resumeServer('well');
    expect(await phases('fifth')).toBe('completed well');
    expect(jobsOf(at('well'))).toEqual(['second completed', 'fifth completed']);
  });
});

describe('work that fails on one server, beside other work that needs the same', () => {
  it('is kept from it, and the other work is not', async () => {
    const { clock, pool, at } = poolOf([
      { name: 'broken', speed: 10, slots: 2 },
      { name: 'well', memory: 8 },
    ]);
    await clock.until(run(pool, 'first', { memory: 1 }));
    const both = Promise.all([
      run(pool, 'other', { steps: 40 }),
      run(pool, 'second', { memory: 1 }),
      run(pool, 'third', { steps: 40 }),
    ]);
    await clock.until(both);
    expect(jobsOf(at('well'))).toEqual(['second completed']);
    expect(jobsOf(at('broken'))).toEqual(['first failed', 'other completed', 'third completed']);
  });
});

describe('waitForServersMs', () => {
  it('ends the waiting where all servers stay away', async () => {
    const { clock, pool, at } = two({}, { rules: { waitForServersMs: 60_000 } });
    at('one').kill();
    at('two').kill();
    await expect(clock.until(run(pool, 'a'))).rejects.toMatchObject({
      _tag: 'Timeout',
      sent: false,
      message: expect.stringContaining('one, which is down') as string,
    });
  });
});
