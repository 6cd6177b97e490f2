import { addJobs } from '../../../src/server/queue/jobs/add-jobs.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import type { NewJob } from '../../../src/server/queue/store/job-store.js';
import type { NewQueueJob } from '../../../src/server/queue/jobs/job-queue.js';

/** A queue in memory; `known` is what its store answers in place of the ids that it is given, `addTokens` what becomes of its slot tokens. */
const world = (
  kind: 'account' | 'servers' = 'account',
  known?: readonly string[] | 'draining',
  addTokens = (): Promise<void> => Promise.resolve(),
) => {
  const kept: NewJob[] = [];
  const tokens: unknown[] = [];
  const told: unknown[] = [];
  onTestFinished(
    listenTo('promptwire:queue:add', ({ startedAt, endedAt, ...one }) => {
      told.push({ ...one, isTimed: startedAt <= endedAt });
    }),
  );
  const add = (...jobs: readonly NewQueueJob[]) =>
    addJobs(
      {
        kind,
        store: {
          addAll: (given: readonly NewJob[]) => {
            kept.push(...given);
            return Promise.resolve(known === 'draining' ? undefined : (known ?? given.map(({ id }) => id)));
          },
        },
        slotTokens: {
          addAll: (given: readonly object[]) => {
            tokens.push(...given);
            return addTokens();
          },
        },
      } as never,
      'q',
      jobs,
    );
  return { add, kept, tokens, told };
};

const hash = 'ab'.repeat(32);
const loads = (image: string) => ({ 1: { class_type: 'LoadImage', inputs: { image, scale: 2 } } });

describe('jobs that are added to a queue', () => {
  it('are kept with the first event of their logs, get their slot tokens, and are told of', async () => {
    const { add, kept, tokens, told } = world();
    const [first, second] = await add(
      { workflow: {}, tenant: 'ann', key: 'k' },
      { id: 'b', workflow: {}, delayMs: 1 },
    );
    expect(first).toMatch(/^[0-9a-f-]{36}$/u);
    expect(second).toBe('b');
    const own = { id: '', events: [] };
    expect(kept.map((one) => [one.id, { ...one, id: '', events: [] }])).toEqual([
      [first, { ...own, workflow: {}, tenant: 'ann', key: 'k', files: [], work: undefined }],
      ['b', { ...own, workflow: {}, files: [], work: undefined, delayMs: 1 }],
    ]);
    expect(kept[0]?.events).toMatchObject([{ type: 'submitted', state: { phase: 'submitting' } }]);
    expect(kept[0]?.events?.[0]).not.toHaveProperty('state.problems.0');
    expect(tokens).toEqual([{ id: first }, { id: 'b', delayMs: 1 }]);
    expect(told).toEqual([
      { queue: 'q', jobId: first, tenant: 'ann', isTimed: true },
      { queue: 'q', jobId: 'b', tenant: '', isTimed: true },
    ]);
  });

  it('have no second slot token where a key or an id was used before', async () => {
    const { add, tokens, told } = world('account', ['old', 'b']);
    expect(await add({ id: 'a', workflow: {} }, { id: 'b', workflow: {} })).toEqual(['old', 'b']);
    expect(tokens).toEqual([{ id: 'b' }]);
    expect(told).toMatchObject([{ jobId: 'old' }, { jobId: 'b' }]);
  });

  it.each([
    ['comes late', () => new Promise<void>(() => undefined)],
    ['fails', () => Promise.reject(new Error('no slot token'))],
  ])('are there once the store has them, where the answer for their slot tokens %s', async (_, addAll) => {
    const { add, kept } = world('account', undefined, addAll);
    expect(await add({ id: 'a', workflow: {} }, { id: 'b', workflow: {} })).toEqual(['a', 'b']);
    expect(kept).toHaveLength(2);
  });

  it('are checked and made in slices, with turns of the event loop between them', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
    onTestFinished(() => clock.mockRestore());
    const { add, kept } = world();
    const madeAt: number[] = [];
    const jobs = [1, 2].map((nth) => ({
      get workflow() {
        setTimeout(() => madeAt.push(kept.length));
        return { [nth]: { class_type: 'A', inputs: {} } };
      },
    }));
    await add(...jobs);
    expect(kept).toHaveLength(2);
    // Before the store has any of them, others had a turn after each job was checked, and after it was made.
    expect(madeAt).toEqual([0, 0, 0, 0]);
  });

  it('are refused while the queue drains', async () => {
    const { add, tokens } = world('account', 'draining');
    await expect(add({ workflow: {} })).rejects.toMatchObject({
      ...{ _tag: 'Draining', message: 'The queue drains, and takes no more jobs.' },
      hint: 'Resume the queue, or use another one.',
    });
    expect(tokens).toEqual([]);
  });

  it('warn of integers that may have been rounded before', async () => {
    const { add, kept } = world();
    await add({ workflow: { 1: { class_type: 'KSampler', inputs: { seed: 2 ** 60 } } } });
    expect(kept[0]?.events).toMatchObject([{ state: { problems: [{ nodeId: '1', input: 'seed' }] } }]);
  });

  it('name what they ask of a server, and their files, over servers alone', async () => {
    const workflow = loads(`promptwire-${hash}.png`);
    const { add, kept } = world('servers');
    await add({ workflow, tags: ['big'] }, { workflow: loads('a.png') }, { workflow: loads('b.png') });
    const [own, a, b] = kept.map(({ work = '' }) => JSON.parse(work) as { readonly needs: string });
    expect([own, kept[0]?.files, kept[0]?.workflow]).toMatchObject([{ tags: ['big'] }, [hash], workflow]);
    expect([kept[1]?.files, a]).toMatchObject([[], { tags: [] }]);
    // Any server can have a file of the queue.
    expect([own?.needs === a?.needs, a?.needs === b?.needs]).toEqual([false, false]);
    const again = world('servers');
    await again.add({ workflow: loads(`promptwire-${'cd'.repeat(32)}.png`) });
    expect((JSON.parse(again.kept[0]?.work ?? '') as { readonly needs: string }).needs).toBe(own?.needs);
    const account = world();
    await account.add({ workflow });
    expect(account.kept).toMatchObject([{ work: undefined, files: [] }]);
  });

  it.each([
    ['account', { tags: ['big'] }, { _tag: 'InvalidConfig', option: 'tags' }],
    ['servers', { tags: 'big' }, { _tag: 'InvalidConfig', option: 'tags' }],
    ['servers', { tags: ['x'.repeat(101)] }, { option: 'tags' }],
    ['servers', { tags: ['a\ud800'] }, { option: 'tags' }],
    ['servers', { tags: [1] }, { option: 'tags' }],
    ['servers', { tags: Array(21).fill('a') }, { option: 'tags' }],
    ['account', { delayMs: 100 * 365 * 24 * 3600 * 1000 + 1 }, { option: 'delayMs' }],
  ] as const)('are refused in a queue over %s: %j', async (kind, options, error) => {
    const { add, kept } = world(kind);
    await expect(add({ workflow: {}, ...options } as never)).rejects.toMatchObject(error);
    expect(kept).toEqual([]);
  });

  it.each([
    { tags: Array(20).fill('x'.repeat(100)), ephemeral: false },
    { tags: [], id: 'x'.repeat(1_000), tenant: '', key: '', delayMs: 100 * 365 * 24 * 3600 * 1000 },
  ])('are taken up to their bounds', async (options) => {
    const { add, kept } = world('servers');
    await add({ workflow: {}, ...options });
    expect(kept).toHaveLength(1);
  });

  it('are ephemeral as what leaves no file, and refused where something would', async () => {
    const { add, kept } = world('account');
    const workflow = {
      1: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'b' } },
    };
    await add({ workflow, ephemeral: true });
    expect(kept).toMatchObject([
      {
        ephemeral: true,
        workflow: { 2: { class_type: 'SaveImageWebsocket' } },
        events: [{ state: { problems: [{ type: 'ephemeral_input', nodeId: '1' }] } }],
      },
    ]);
    const writing = { workflow: { 1: { class_type: 'SaveAudio', inputs: {} } }, ephemeral: true };
    await expect(add(writing)).rejects.toMatchObject({ _tag: 'NotSupported' });
    expect(kept).toHaveLength(1);
  });
});
