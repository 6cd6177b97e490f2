import { alice, life, openReader, playedGateway, submitted } from '../support.js';
import { describe, expect, it } from 'vitest';
import { settle } from '../../helpers/settle.js';

/** A job that has made a file for each of two pictures, and whose stream of API v2 begins with its status of now. */
const running = async () => {
  const gateway = await playedGateway();
  const { record } = await submitted(gateway);
  const [played] = gateway.service.jobs;
  for (const state of life('p1').slice(0, 4)) played!.move(state);
  await settle();
  const open = (after?: string) =>
    openReader(gateway, { owner: 'alice', jobId: record.id }, after === undefined ? {} : { after }, {
      view: 'v2',
    });
  return {
    open,
    cancel: async () => {
      await gateway.jobs.cancel(alice, record.id);
      await settle();
    },
    end: () => played!.move(life('p1').at(-1)!),
  };
};

describe('a stream of API v2 that begins with the status of now, and then has the outputs so far', () => {
  it('begins with that status again where it is resumed among these outputs, and has no older one', async () => {
    const { open, cancel, end } = await running();
    await cancel();
    const first = await open();
    const [status, output] = [await first.next(), await first.next()];
    expect([status?.data['status'], output?.event]).toEqual(['canceling', 'output']);
    await first.cut();
    const resumed = await open(output?.id);
    expect((await resumed.next())?.data['status']).toBe('canceling');
    end();
    const rest = await resumed.rest();
    const told = rest.filter(({ event }) => event === 'status' || event === 'output');
    expect(told.map(({ event, data }) => data['status'] ?? event)).toEqual([
      ...['output', 'output', 'output', 'succeeded'],
    ]);
  });

  it('tells each of two readers the place of its own status with the same output', async () => {
    const { open, cancel } = await running();
    const early = await open();
    const before = [await early.next(), await early.next()];
    await cancel();
    const late = await open();
    const after = [await late.next(), await late.next()];
    expect([before[0]?.data['status'], after[0]?.data['status']]).toEqual(['running', 'canceling']);
    expect([before[1]?.event, after[1]?.data]).toEqual(['output', before[1]?.data]);
    for (const reader of [early, late]) await reader.cut();
    const words = async (after: string | undefined) => {
      const resumed = await open(after);
      const status = (await resumed.next())?.data['status'];
      await resumed.cut();
      return status;
    };
    expect([await words(before[1]?.id), await words(after[1]?.id)]).toEqual(['running', 'canceling']);
  });
});
