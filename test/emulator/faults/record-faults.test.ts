import { describe, expect, it } from 'vitest';
import { type Emulator, virtualClock } from '../../../src/emulator.js';
import { call, quick } from '../support.js';
import { openLocal, post } from '../local/support.js';
import { faulty, heardOf, historyOf, over, statusOf } from './support.js';

const statusesOf = async (
  emulator: Parameters<typeof call>[0],
  promptId: string,
): Promise<readonly number[]> => [
  (await call(emulator, 'GET', `/api/job/${promptId}/status`)).status,
  (await call(emulator, 'GET', `/api/history_v2/${promptId}`)).status,
];

const textAt = async ({ baseUrl, apiKey }: Emulator, path: string): Promise<string> =>
  (await fetch(baseUrl + path, { headers: { 'x-api-key': apiKey } })).text();

describe('faults of what is known of jobs', () => {
  it('F3 let a job vanish, at once or once it has ended', async () => {
    const emulator = await faulty([
      { on: 'job', nth: 1, do: 'vanish' },
      { on: 'job', nth: 2, do: 'vanish', when: 'ended' },
    ]);
    for (const expected of [
      [404, 404],
      [404, 404],
      [200, 200],
    ]) {
      const { promptId } = await heardOf(emulator);
      expect(await statusesOf(emulator, promptId)).toEqual(expected);
    }
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
  });

  it('F4 let the record follow the end by some time', async () => {
    const clock = virtualClock();
    const emulator = await faulty([{ on: 'job', do: 'history-lag', ms: 200 }], { clock });
    const { promptId } = await heardOf(emulator);
    expect(await statusOf(emulator, promptId)).toBe('completed');
    expect(await statusesOf(emulator, promptId)).toEqual([200, 404]);
    await clock.advance(200);
    expect(await statusesOf(emulator, promptId)).toEqual([200, 200]);
    expect((await historyOf(emulator, promptId))['outputs']).not.toEqual({});
  });

  it.each(['interface', '2026'] as const)('F11 F12 give a job other outputs (%s)', async (profile) => {
    const outputs = { __proto: { gifs: [{ filename: 5 }] } };
    const emulator = await faulty([{ on: 'job', do: 'outputs', outputs }], { profile });
    const { promptId } = await heardOf(emulator);
    const body = await historyOf(emulator, promptId);
    const record = profile === 'interface' ? body : (body[promptId] as typeof body);
    expect(record['outputs']).toEqual(outputs);
    expect(emulator.ledger.jobs[0]?.outputs).toEqual({ 1: { text: ['2 steps'] } });
  });

  it('F3 hold for a local server too', async () => {
    const emulator = await openLocal({ faults: [{ on: 'job', do: 'vanish' }] });
    await post(emulator, quick, undefined, { prompt_id: 'p' });
    await over(emulator, 'p');
    expect((await call(emulator, 'GET', '/history/p')).bytes.toString()).toBe('{}');
  });

  it('M13 give a job outputs with integers beyond 2^53, and leave all others as they were', async () => {
    const seed = '18446744073709551615';
    const emulator = await faulty([{ on: 'job', do: 'outputs', outputs: { 9: { value: [BigInt(seed)] } } }]);
    const prompt = JSON.stringify({ ...quick, 7: { class_type: 'PrimitiveInt', inputs: { value: 'seed' } } });
    const { body } = await call(
      emulator,
      'POST',
      '/api/prompt',
      `{"prompt":${prompt.replace('"seed"', seed)}}`,
    );
    const promptId = String(body['prompt_id']);
    await over(emulator, promptId);
    const record = await textAt(emulator, `/api/history_v2/${promptId}`);
    expect(record).toContain(`"outputs":{"9":{"value":[${seed}]}}`);
    expect(record.match(/18446744073709551615/gu)).toHaveLength(2);
  });

  it('M13 give a local job outputs that are no numbers of JSON, also beside such outputs of its own', async () => {
    const outputs = { 9: { value: [NaN, -Infinity, 'NaN'] } };
    const emulator = await openLocal({
      faults: [
        { on: 'job', do: 'outputs', outputs: { 8: { value: [NaN] } } },
        { on: 'job', do: 'outputs', outputs },
      ],
    });
    await post(emulator, quick, undefined, { prompt_id: 'p' });
    await over(emulator, 'p');
    expect(await textAt(emulator, '/history/p')).toContain(
      '"outputs": {"9": {"value": [NaN, -Infinity, "NaN"]}}',
    );
  });
});
