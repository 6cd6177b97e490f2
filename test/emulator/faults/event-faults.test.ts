import { describe, expect, it } from 'vitest';
import type { EventFault, Fault } from '../../../src/emulator.js';
import { call, listen, quick, submit } from '../support.js';
import { openLocal, post, listenLocal } from '../local/support.js';
import { faulty, heardOf, over, settle, strikes } from './support.js';

/** The types that one quick job leaves on a socket, without what belongs to the queue. */
const typesUnder = async (...faults: readonly Fault[]): Promise<readonly string[]> => {
  const { listener } = await heardOf(await faulty(faults));
  return listener.heard.map(({ type }) => type).filter((type) => !['status', 'notification'].includes(type));
};

const on = (type: string, fault: object): Fault => ({ on: 'event', match: { type }, ...fault }) as EventFault;

const usual = [
  'execution_start',
  'execution_cached',
  'progress_state',
  'executing',
  'progress_state',
  'progress',
  'progress_state',
  'progress',
  'executed',
  'progress_state',
  'execution_success',
  'executing',
];

describe('faults of events', () => {
  it('leave everything alone where there are none', async () => {
    expect(await typesUnder()).toEqual(usual);
  });

  it('drop', async () => {
    expect(await typesUnder(on('execution_success', { do: 'drop' }))).toEqual(
      usual.filter((type) => type !== 'execution_success'),
    );
  });

  it('drop the n-th, or every one', async () => {
    const progress = (types: readonly string[]): number => types.filter((type) => type === 'progress').length;
    expect(progress(await typesUnder(on('progress', { do: 'drop', nth: 2 })))).toBe(1);
    expect(progress(await typesUnder(on('progress', { do: 'drop', times: 'every' })))).toBe(0);
    expect(progress(await typesUnder(on('progress', { do: 'drop', nth: 3, times: 'every' })))).toBe(2);
  });

  it('duplicate', async () => {
    const types = await typesUnder(on('executed', { do: 'duplicate', copies: 2 }));
    expect(types.filter((type) => type === 'executed')).toHaveLength(3);
  });

  it('swap with the next one', async () => {
    const types = await typesUnder(on('execution_start', { do: 'swap' }));
    expect(types.slice(0, 2)).toEqual(['execution_cached', 'execution_start']);
  });

  it('delay beyond the end', async () => {
    const types = await typesUnder(on('executed', { do: 'delay', events: 2 }));
    expect(types.slice(8)).toEqual(['progress_state', 'execution_success', 'executed', 'executing']);
  });

  it('let go what is held back when the faults are replaced', async () => {
    const emulator = await faulty([on('executed', { do: 'delay', events: 1000 })]);
    const { listener } = await heardOf(emulator);
    expect(listener.heard.map(({ type }) => type)).not.toContain('executed');
    emulator.setFaults([]);
    await over(emulator, await submit(emulator, quick));
    await settle(listener);
    expect(listener.heard.filter(({ type }) => type === 'executed')).toHaveLength(2);
  });

  it('strip and alter members', async () => {
    const { listener } = await heardOf(
      await faulty([
        on('execution_success', { do: 'strip', members: ['prompt_id'] }),
        on('progress', { do: 'alter', data: { max: 0, value: '1' } }),
      ]),
    );
    expect(Object.keys((await listener.until('execution_success')).data)).toEqual(['timestamp']);
    expect((await listener.until('progress')).data).toMatchObject({ max: 0, value: '1', node: '1' });
  });

  it.each(['success', 'error', 'interrupted'] as const)(
    'tell jobs of a neighbour that end with %s',
    async (end) => {
      const { listener, promptId } = await heardOf(
        await faulty([on('executed', { do: 'foreign', jobs: 2, end })]),
      );
      const ids = listener.heard.map(({ data }) => data['prompt_id']).filter((id) => typeof id === 'string');
      expect(new Set(ids).size).toBe(3);
      const ends = listener.heard.filter(
        ({ type, data }) => type === `execution_${end}` && data['prompt_id'] !== promptId,
      );
      expect(ends).toHaveLength(2);
    },
  );

  it('flood with previews of a neighbour', async () => {
    const { listener } = await heardOf(
      await faulty([on('executed', { do: 'foreign', jobs: 2, previews: 3, previewBytes: 500 })]),
    );
    const previews = listener.heard.filter(({ type }) => type === 'binary:1');
    expect(previews.map(({ bytes }) => bytes?.length)).toEqual(Array(6).fill(504));
    expect(previews[0]?.bytes?.subarray(0, 6)).toEqual(Buffer.of(0, 0, 0, 1, 0xff, 0xd8));
  });

  it('tell of unknown types and junk', async () => {
    const { listener } = await heardOf(
      await faulty([
        on('executing', { do: 'unknown', type: 'brand_new', data: { x: 1 } }),
        on('executed', { do: 'garbage', text: '{"type":"odd","data":null}' }),
        on('executed', { do: 'garbage', hex: '0000000901' }),
        on('executed', { do: 'garbage' }),
      ]),
    );
    expect((await listener.until('brand_new')).data).toEqual({ x: 1 });
    expect((await listener.until('odd')).data).toBeNull();
    expect((await listener.until('binary:9')).bytes).toEqual(Buffer.of(1));
    expect(listener.heard.filter(({ type }) => type.startsWith('binary:'))).toHaveLength(2);
  });

  it('match one job or node only, and record what triggered them', async () => {
    const emulator = await faulty([
      { on: 'event', match: { job: 2, type: 'executed', node: '1' }, do: 'drop' },
    ]);
    const listener = await listen(emulator);
    for (let job = 0; job < 3; job += 1) await over(emulator, await submit(emulator, quick));
    await settle(listener);
    const told = listener.heard
      .filter(({ type }) => type === 'executed')
      .map(({ data }) => data['prompt_id']);
    const [first, , third] = emulator.ledger.jobs.map(({ promptId }) => promptId);
    expect(told).toEqual([first, third]);
    expect(strikes(emulator)).toEqual(['executed of job 2']);
  });

  it('come by chance as the seed has it', async () => {
    const drawn = async (seed: number): Promise<readonly string[]> => {
      const emulator = await faulty([{ on: 'event', do: 'drop', times: 'every', chance: 0.5 }], { seed });
      await heardOf(emulator);
      return strikes(emulator);
    };
    const [first, again, other] = [await drawn(1), await drawn(1), await drawn(2)];
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
  });

  it('hold for a local server too', async () => {
    const emulator = await openLocal({ faults: [on('execution_success', { do: 'drop' })] });
    const listener = await listenLocal(emulator, 'local');
    const { body } = await post(emulator, quick, 'local');
    await listener.until('executing', ({ node }) => node === null);
    expect(listener.types()).not.toContain('execution_success');
    expect((await call(emulator, 'GET', `/history/${String(body['prompt_id'])}`)).body).not.toEqual({});
  });

  it('are refused where they have no sense', async () => {
    const emulator = await faulty([]);
    expect(() => emulator.setFaults([{ on: 'event', do: 'explode' } as never])).toThrow(
      'faults[0].do: on event it takes drop',
    );
    await expect(faulty([{ on: 'nowhere' } as never])).rejects.toThrow(TypeError);
  });
});
