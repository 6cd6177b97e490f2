import { describe, expect, it } from 'vitest';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { createPool } from '../../src/pool.js';
import { earliestEnd, type Placement } from '../../src/client/pool/placement.js';
import type { Pool, PoolJobState } from '../../src/client/pool/pool-types.js';
import type { PoolServer } from '../../src/core/state/pool-server.js';
import { poolOf } from './pool-of.js';
import { initialJobState, toPromise } from '../../src/index.js';
import { workflowOf } from './engine.js';

const workflows = (count: number, options = {}) =>
  Array.from({ length: count }, (_, index) => workflowOf(`job ${index}`, options));

const allStates = (pool: Pool, workflow = workflowOf('one'), options = {}): Promise<PoolJobState[]> =>
  lastValueFrom(pool.run(workflow, options).pipe(toArray()));

const shown = (pool: Pool): Promise<readonly PoolServer[]> => firstValueFrom(pool.servers);

const one = async (pool: Pool, name: string): Promise<PoolServer> => {
  const server = (await shown(pool)).find((each) => each.name === name);
  if (server === undefined) throw new Error(`The pool shows no ${name}.`);
  return server;
};

describe('a pool', () => {
  it('gives more jobs to a faster server, and holds them back until a server is about to be free', async () => {
    const { clock, pool, at } = poolOf([
      { name: 'slow', speed: 0.25 },
      { name: 'fast', speed: 4 },
    ]);
    const states = await clock.until(
      lastValueFrom(pool.runAll(workflows(40, { workMs: 4_000 })).pipe(toArray())),
    );
    expect(states.filter(({ state }) => state.phase === 'completed')).toHaveLength(40);
    expect(at('fast').runs.length).toBeGreaterThan(4 * at('slow').runs.length);
    expect(at('fast').mostHeld()).toBeLessThanOrEqual(2);
  });

  it('takes of many workflows those that servers hold, and 64 to choose from', async () => {
    const { clock, pool, at } = poolOf([{ name: 'attic' }, { name: 'cellar' }]);
    const taken = { count: 0 };
    const endless = function* () {
      for (;;) yield workflowOf(`job ${(taken.count += 1)}`);
    };
    const running = pool.runAll(endless()).subscribe();
    for (const seconds of [1, 60, 60]) {
      await clock.advance(seconds * 1_000);
      const over = [at('attic'), at('cellar')].flatMap(({ runs }) => runs.filter(({ end }) => end)).length;
      expect(taken.count - over).toBe(2 * 2 + 64);
    }
    running.unsubscribe();
    await pool.close();
  });

  it('tells the server and the attempt with each state', async () => {
    const { clock, pool } = poolOf([{ name: 'attic' }]);
    const states = await clock.until(allStates(pool));
    expect(states.map(({ phase, server, attempt }) => [phase, server, attempt])).toEqual([
      ['submitting', undefined, 1],
      ['pending', 'attic', 1],
      ['in_progress', 'attic', 1],
      ['completed', 'attic', 1],
    ]);
  });

  it('goes on with the models that a server has loaded', async () => {
    const { clock, pool, at } = poolOf([
      { name: 'one', loadMs: 9_000 },
      { name: 'two', loadMs: 9_000 },
    ]);
    const mixed = Array.from({ length: 40 }, (_, index) =>
      workflowOf(`job ${index}`, { model: index % 2 === 0 ? 'a.safetensors' : 'b.safetensors' }),
    );
    await clock.until(lastValueFrom(pool.runAll(mixed)));
    expect(at('one').loads() + at('two').loads()).toBeLessThanOrEqual(4);
    expect(at('one').runs.length + at('two').runs.length).toBe(40);
  });

  it('gives a job to the server that has its model, and to one that has its tags', async () => {
    const { clock, pool } = poolOf([
      { name: 'old', models: ['base.safetensors'], tags: ['big'] },
      { name: 'new', models: ['base.safetensors', 'xl.safetensors'] },
    ]);
    const ends = await clock.until(
      Promise.all([
        lastValueFrom(pool.run(workflowOf('xl', { model: 'xl.safetensors' }))),
        lastValueFrom(pool.run(workflowOf('big'), { tags: ['big'] })),
      ]),
    );
    expect(ends.map(({ server }) => server)).toEqual(['new', 'old']);
    const lacks = [expect.stringContaining('xl.safetensors') as string];
    expect((await shown(pool)).map(({ capabilities }) => capabilities)).toEqual([
      { able: 1, lacks },
      { able: 1, lacks: [] },
    ]);
  });

  it('refuses at once what no server can run, with the reasons of each', async () => {
    const { clock, pool, at } = poolOf([
      { name: 'old', models: ['base.safetensors'] },
      { name: 'new', models: ['xl.safetensors'] },
    ]);
    const flux = workflowOf('flux', { model: 'flux.safetensors' });
    await expect(clock.until(allStates(pool, flux))).rejects.toMatchObject({
      _tag: 'InvalidWorkflow',
      message: expect.stringMatching(/old: .*flux\.safetensors.*new: .*flux\.safetensors/su) as string,
      problems: [{ type: 'value_not_in_list' }, { type: 'value_not_in_list' }],
    });
    expect((await one(pool, 'old')).capabilities).toEqual({
      able: 0,
      lacks: [expect.stringContaining('flux.safetensors') as string],
    });
    await expect(clock.until(allStates(pool, flux, { tags: ['huge'] }))).rejects.toMatchObject({
      _tag: 'InvalidConfig',
      option: 'tags',
    });
    expect(at('old').submissions() + at('new').submissions()).toBe(0);
  });

  it.each([
    ['nothing', undefined, 'A workflow is an object of nodes.'],
    ['null', null, 'A workflow is an object of nodes.'],
    ['no nodes', {}, 'The workflow has no nodes.'],
    ['what the editor saves', { nodes: [], links: [] }, 'This is a workflow as the editor saves it'],
    ['a node without a class', { 1: { inputs: {} } }, '1.class_type should be a string'],
  ])('refuses what is no workflow, as a client does: %s', async (_, workflow, says) => {
    const { pool, at } = poolOf([{ name: 'attic' }]);
    const refusal = { _tag: 'InvalidWorkflow', message: expect.stringContaining(says) as string };
    await expect(lastValueFrom(pool.run(workflow as never))).rejects.toMatchObject(refusal);
    expect(await pool.submit(workflow as never)()).toMatchObject({ left: refusal });
    expect(at('attic').submissions()).toBe(0);
  });

  it('refuses tags that are no list of texts', async () => {
    const { pool } = poolOf([{ name: 'attic', tags: ['big'] }]);
    for (const tags of ['big', [1]])
      await expect(allStates(pool, workflowOf('one'), { tags })).rejects.toMatchObject({
        ...{ _tag: 'InvalidConfig', option: 'tags' },
      });
  });

  it('takes a workflow as it was when the job began, also where the job waits and the program goes on with its object', async () => {
    const { clock, pool, at } = poolOf([{ name: 'attic' }]);
    const workflow = structuredClone(workflowOf('template')) as Record<
      string,
      { readonly class_type: string; readonly inputs: Record<string, string> }
    >;
    const ends = ['one', 'two', 'three', 'four'].map((name) => {
      workflow['note']!.inputs['text'] = JSON.stringify({ job: name, workMs: 1_000, memory: 0 });
      return lastValueFrom(pool.run(workflow));
    });
    await clock.until(Promise.all(ends));
    expect(at('attic').runs.map(({ job }) => job)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('asks again for models that were added since', async () => {
    const models = ['base.safetensors'];
    const { clock, pool } = poolOf([{ name: 'attic', models }]);
    const xl = workflowOf('xl', { model: 'xl.safetensors' });
    await expect(clock.until(allStates(pool, xl))).rejects.toMatchObject({ _tag: 'InvalidWorkflow' });
    models.push('xl.safetensors');
    await clock.advance(20_000);
    const states = await clock.until(allStates(pool, xl));
    expect(states.at(-1)).toMatchObject({ phase: 'completed' });
  });

  it('ends a job for which its placement throws with what that threw, and goes on with the others', async () => {
    const cause = new TypeError('no weight');
    const placement: Placement = (job, servers) => {
      if (job.tags.includes('heavy')) throw cause;
      return earliestEnd(job, servers);
    };
    const { clock, pool } = poolOf([{ name: 'attic', tags: ['heavy'] }], { placement });
    const ends = Promise.allSettled([
      allStates(pool, workflowOf('one')),
      allStates(pool, workflowOf('two'), { tags: ['heavy'] }),
      allStates(pool, workflowOf('three')),
    ]);
    const [one, two, three] = await clock.until(ends);
    expect([one.status, three.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(two).toMatchObject({ status: 'rejected', reason: { _tag: 'Defect', cause } });
  });

  it('gives the handle of a job once a server has accepted it', async () => {
    const { clock, pool } = poolOf([{ name: 'attic' }]);
    const job = await clock.until(toPromise(pool.submit(workflowOf('one'))));
    expect(job.promptId).toBe('id-1');
    const phases: string[] = [];
    const iterated = (async () => {
      for await (const { phase } of job) phases.push(phase);
    })();
    await clock.until(iterated);
    expect(phases.at(-1)).toBe('completed');
    expect(await clock.until(toPromise(job.outputs))).toEqual({});
  });
});

describe('leaving a job of a pool', () => {
  it('submits nothing where the job still waits', async () => {
    const { clock, pool, at } = poolOf([{ name: 'attic' }]);
    const first = clock.until(allStates(pool, workflowOf('long', { workMs: 60_000 })));
    await clock.advance(100);
    const left = pool.run(workflowOf('left')).subscribe();
    await clock.advance(100);
    left.unsubscribe();
    await first;
    expect(at('attic').runs.map(({ job }) => job)).toEqual(['long']);
    await clock.until(pool.drain());
  });

  it('leaves a job alone that a server has, and cancels it with onUnsubscribe', async () => {
    const { clock, pool, at } = poolOf([{ name: 'one' }, { name: 'two' }]);
    const left = pool.run(workflowOf('left', { workMs: 5_000 })).subscribe();
    const cancelled = pool
      .run(workflowOf('cancelled', { workMs: 5_000 }), { onUnsubscribe: 'cancel' })
      .subscribe();
    await clock.advance(1_000);
    left.unsubscribe();
    cancelled.unsubscribe();
    await clock.until(pool.drain());
    const runs = [...at('one').runs, ...at('two').runs].map(({ job, end }) => [job, end]);
    expect(Object.fromEntries(runs)).toEqual({ left: 'completed', cancelled: 'cancelled' });
  });

  it('ends a waiting job as cancelled, and one by its id', async () => {
    const { clock, pool, at } = poolOf([{ name: 'attic' }]);
    const job = await clock.until(toPromise(pool.submit(workflowOf('long', { workMs: 60_000 }))));
    const aborted = new AbortController();
    const waiting = allStates(pool, workflowOf('waiting'), { signal: aborted.signal });
    waiting.catch(() => undefined);
    await clock.advance(100);
    aborted.abort();
    await expect(waiting).rejects.toMatchObject({ _tag: 'Aborted', sent: false });
    await clock.until(toPromise(job.cancel()));
    expect((await clock.until(lastValueFrom(job.states))).phase).toBe('cancelled');
    expect(at('attic').submissions()).toBe(1);
  });
});

describe('the servers of a pool', () => {
  it('are shown with what they hold and have done', async () => {
    const { clock, pool } = poolOf([
      { name: 'attic', memory: 24e9, tags: ['big'] },
      { name: 'cellar', speed: 2 },
    ]);
    expect(await one(pool, 'attic')).toMatchObject({
      ...{ name: 'attic', baseUrl: 'http://attic:8188', tags: ['big'], health: 'unknown' },
      ...{ mode: 'active', slots: 1, ahead: 1, running: 0, waiting: 0, done: 0, speed: 1, models: [] },
    });
    const done = clock.until(lastValueFrom(pool.runAll(workflows(6))));
    await clock.advance(600);
    expect(await one(pool, 'attic')).toMatchObject({ health: 'up', running: 1 });
    await done;
    expect(await one(pool, 'attic')).toMatchObject({
      ...{ running: 0, waiting: 0, models: ['base.safetensors'] },
      memory: { total: 24e9, free: 24e9 },
    });
    const [attic, cellar] = await shown(pool);
    expect((attic?.done ?? 0) + (cellar?.done ?? 0)).toBe(6);
    expect(cellar?.speed).toBeGreaterThan(1.5 * (attic?.speed ?? 0));
  });

  it('keep a process alive while they are watched, and not after that', async () => {
    const { clock, pool } = poolOf([{ name: 'attic' }]);
    const watching = pool.servers.subscribe();
    await expect(clock.runUntilIdle(60_000)).rejects.toThrow('timers are left');
    watching.unsubscribe();
    await clock.runUntilIdle(60_000);
  });

  it('get no new jobs while they are paused, and are left once they are drained', async () => {
    const { clock, pool, at } = poolOf([{ name: 'one' }, { name: 'two' }]);
    pool.pauseServer('one');
    await clock.until(lastValueFrom(pool.runAll(workflows(4))));
    expect([at('one').runs.length, at('two').runs.length]).toEqual([0, 4]);
    pool.resumeServer('one');
    const rest = lastValueFrom(pool.runAll(workflows(6)));
    await clock.advance(200);
    await clock.until(pool.drainServer('two'));
    expect(await one(pool, 'two')).toMatchObject({ mode: 'draining', running: 0 });
    await clock.until(rest);
    expect(at('two').runs.every(({ end }) => end === 'completed')).toBe(true);
    expect(at('one').runs.length).toBeGreaterThanOrEqual(4);
  });

  it('can be added and removed while jobs run: a removed one ends what it has', async () => {
    const { clock, pool, server, at } = poolOf([{ name: 'one' }]);
    const done = clock.until(lastValueFrom(pool.runAll(workflows(20))));
    await clock.advance(500);
    pool.addServer(server({ name: 'two', speed: 3 }));
    await clock.advance(3_000);
    const removed = pool.removeServer('one');
    await done;
    await removed;
    expect((await shown(pool)).map(({ name }) => name)).toEqual(['two']);
    expect(at('one').runs.length + at('two').runs.length).toBe(20);
    expect(at('one').runs.every(({ end }) => end === 'completed')).toBe(true);
  });

  it('are told apart: an unknown name, an address twice and a count of 0 are refused', () => {
    const { pool, server } = poolOf([{ name: 'one' }]);
    const causeOf = (action: () => unknown): unknown => {
      try {
        return action();
      } catch (error) {
        return error;
      }
    };
    expect(causeOf(() => pool.pauseServer('two'))).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'server',
      hint: 'Its servers are one.',
    });
    expect(causeOf(() => pool.addServer(server({ name: 'one' })))).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'servers',
      message: 'The pool has one:8188 twice.',
    });
    expect(causeOf(() => pool.addServer(server({ name: 'two', slots: 0 })))).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'slots',
    });
    expect(causeOf(() => poolOf([]))).toMatchObject({ _tag: 'InvalidConfig', option: 'servers' });
    for (const [option, wrong] of [
      ['name', { name: 5 }],
      ['tags', { tags: 'big' }],
      ['tags', { tags: [1] }],
    ] as const)
      expect(causeOf(() => pool.addServer({ baseUrl: 'http://two', ...wrong } as never))).toMatchObject({
        ...{ _tag: 'InvalidConfig', option },
      });
    for (const slots of [NaN, 1.5, Infinity, -1, '2'])
      expect(causeOf(() => pool.addServer(server({ name: 'two', slots: slots as never })))).toMatchObject({
        ...{ _tag: 'InvalidConfig', option: 'slots', message: 'slots is no whole number from 1.' },
        hint: expect.stringContaining('pauseServer') as string,
      });
    for (const ahead of [NaN, 0.5, Infinity, -1])
      expect(causeOf(() => pool.addServer(server({ name: 'two', ahead })))).toMatchObject({
        ...{ _tag: 'InvalidConfig', option: 'ahead' },
      });
    for (const baseUrl of [undefined, null, 5, '', 'nonsense', 'ftp://two'])
      expect(causeOf(() => createPool({ servers: [{ baseUrl } as never] }))).toMatchObject({
        ...{ _tag: 'InvalidConfig', option: 'baseUrl' },
      });
    expect(causeOf(() => pool.addServer('http://two' as never))).toMatchObject({ option: 'servers' });
    for (const servers of [undefined, 'http://two', [null], ['http://two']] as const)
      expect(causeOf(() => createPool({ servers } as never))).toMatchObject({ option: 'servers' });
    expect(causeOf(() => poolOf([{ name: 'one' }], { rules: { giveUpAfterMs: Number.NaN } }))).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'rules.giveUpAfterMs',
    });
  });
});

describe('one address twice', () => {
  it.each([
    ['http://a/', 'http://A:80'],
    ['http://a:8188', 'http://a:8188///'],
    ['http://a/x', 'HTTP://a/./x/'],
    ['http://[::1]:8188', 'http://[0:0:0:0:0:0:0:1]:8188'],
    ['http://127.0.0.1', 'http://127.1/'],
  ])('is refused, also where it is spelt otherwise: %s and %s', (first, second) => {
    const twice = (): Pool =>
      createPool({
        servers: [first, second].map((baseUrl, at) => ({ baseUrl, dialect: 'local', name: `server-${at}` })),
      });
    expect(twice).toThrow(/^The pool has .* twice\.$/u);
  });

  it.each([
    ['http://a', 'http://a:8188'],
    ['http://a/x', 'http://a/y'],
    ['http://a', 'http://b'],
  ])('is not what these are: %s and %s', async (first, second) => {
    await createPool({ servers: [first, second].map((baseUrl) => ({ baseUrl, dialect: 'local' })) }).close();
  });
});

describe('a name that is no server of the pool', () => {
  const unknown = {
    ...{ _tag: 'InvalidConfig', message: 'The pool has no server two.' },
    hint: expect.stringContaining('one') as string,
  };

  it.each(['pauseServer', 'resumeServer', 'client'] as const)('throws in %s', (method) => {
    const { pool } = poolOf([{ name: 'one' }]);
    expect(() => pool[method]('two')).toThrow(expect.objectContaining(unknown));
  });

  it.each(['drainServer', 'removeServer'] as const)('rejects in %s', async (method) => {
    const { pool } = poolOf([{ name: 'one' }]);
    await expect(pool[method]('two')).rejects.toMatchObject(unknown);
  });

  it('is Left in delete, and the error of a download', async () => {
    const { pool } = poolOf([{ name: 'one' }]);
    const file = { filename: 'a.png', subfolder: '', type: 'output' } as const;
    expect(await pool.delete(file, { server: 'two' })()).toMatchObject({ left: unknown });
    const source = initialJobState({ promptId: 'job', workflow: {}, phase: 'completed' });
    await expect(lastValueFrom(pool.download(source, 'dir', { server: 'two' }))).rejects.toMatchObject(
      unknown,
    );
  });

  it('is the end of a job whose file is said to be there', async () => {
    const { clock, pool } = poolOf([{ name: 'one' }]);
    const file = { name: 'a.png', subfolder: '', type: 'input' };
    const workflow = { ...workflowOf('job'), photo: { class_type: 'LoadImage', inputs: { image: 'a.png' } } };
    const { states } = pool.start(workflow, { files: [{ file, server: 'two' }] });
    await expect(clock.until(lastValueFrom(states))).rejects.toMatchObject({
      ...{ _tag: 'DownloadFailed', filename: 'a.png' },
    });
  });
});

describe('the end of a pool', () => {
  it('refuses jobs while it drains, and resolves when they are over', async () => {
    const { clock, pool } = poolOf([{ name: 'attic' }]);
    const running = clock.until(allStates(pool));
    const drained = pool.drain();
    await expect(allStates(pool)).rejects.toMatchObject({ _tag: 'Draining' });
    expect((await running).at(-1)).toMatchObject({ phase: 'completed' });
    await clock.until(drained);
  });

  it('ends what waits with Closed, and leaves no timer', async () => {
    const { clock, pool } = poolOf([{ name: 'attic' }]);
    const waiting = [allStates(pool, workflowOf('a', { workMs: 9_000 })), allStates(pool, workflowOf('b'))];
    await clock.advance(100);
    const [, second] = await Promise.allSettled([pool.close(), waiting[1]]);
    expect(second).toMatchObject({ status: 'rejected', reason: { _tag: 'Closed' } });
    waiting[0]?.catch(() => undefined);
    await clock.advance(20_000);
    expect(clock.pending()).toBe(0);
  });
});
