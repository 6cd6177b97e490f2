import { alice, life, playedGateway, submitted } from '../support.js';
import { boundOutputs } from '../../../src/server/gateway/upstream/bound-outputs.js';
import { describe, expect, it } from 'vitest';
import type { JobState } from '../../../src/core/state/job-state.js';

const [first, running] = life('p1') as readonly [JobState, JobState];
const textOf = (characters: number) => ({ text: ['x'.repeat(characters)] });

describe('the outputs of a job', () => {
  it('are the same value where they have room, and the state is', () => {
    const bound = boundOutputs(100);
    const state: JobState = { ...running, outputs: { '1': textOf(10) } };
    expect(bound(state)).toBe(state);
    expect(bound(first)).toBe(first);
  });

  it('are those of the nodes that fit, in their order, and a warning says that others are left out', () => {
    const bound = boundOutputs(100);
    const outputs = { '1': textOf(40), '2': textOf(60), '3': textOf(10) };
    const state: JobState = { ...running, outputs, outputsComplete: true };
    const { outputs: kept, outputsComplete, warnings } = bound(state);
    expect(Object.keys(kept)).toEqual(['1', '3']);
    expect([outputsComplete, warnings.length]).toEqual([false, 1]);
    expect(Object.getPrototypeOf(kept)).toBeNull();
    expect(bound({ ...state, warnings }).warnings).toEqual(warnings);
    // The next state with the same outputs has the same ones.
    expect(bound({ ...state, progress: 0.9 }).outputs).toBe(kept);
  });

  it('have a bound at a gateway, however many a service tells', async () => {
    const { jobs, service } = await playedGateway();
    const { record } = await submitted({ jobs });
    const played = service.jobs[0]!;
    const state = life(played.promptId)[1]!;
    let outputs: JobState['outputs'] = {};
    for (let node = 0; node < 12; node += 1) {
      outputs = { ...outputs, [`${node}`]: textOf(1.5 * 2 ** 20) };
      played.move({ ...state, outputs });
    }
    played.move({ ...life(played.promptId).at(-1)!, outputs, outputsComplete: true });
    await expect.poll(async () => (await jobs.get(alice, record.id))?.state.phase).toBe('completed');
    const kept = (await jobs.get(alice, record.id))!.state;
    expect(Object.keys(kept.outputs)).toEqual(['0', '1', '2', '3', '4']);
    expect(kept.outputsComplete).toBe(false);
    expect(kept.warnings).toEqual([expect.stringContaining('the bound of the gateway')]);
  });
});
