import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/node.js';
import { type Engine, startEmulator } from '../../src/emulator.js';
import type { JobState } from '../../src/core/state/job-state.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const engines: readonly Engine[] = ['0.3.40', '0.3.64'];

/** Every state of a job on a local engine. */
const statesOf = async (engine: Engine, workflow: Workflow): Promise<readonly JobState[]> => {
  const emulator = await startEmulator({ dialect: 'local', engine, speed: Infinity });
  onTestFinished(() => emulator.close());
  const client = createClient(emulator);
  onTestFinished(() => client.close());
  return lastValueFrom(client.run(workflow).pipe(toArray()));
};

/** Node id → its phase and the node that it belongs to. */
const nodesOf = ({ nodes }: JobState) =>
  Object.fromEntries(
    Object.values(nodes).map(({ nodeId, phase, displayNodeId }) => [nodeId, [phase, displayNodeId]]),
  );

const expanding = (inputs: Readonly<Record<string, unknown>> = {}): Workflow => ({
  5: { class_type: 'ExpandOnPurpose', inputs: { anything: 'text', nodes: 2, steps: 1, ...inputs } },
  6: { class_type: 'PreviewText', inputs: { source: ['5', 0] } },
});

describe.each(engines)('a client of engine %s', (engine) => {
  it('M12: shows a node as running until the nodes that it expanded into have ended', async () => {
    const states = await statesOf(engine, expanding());
    const last = states.at(-1)!;
    expect(last).toMatchObject({ phase: 'completed', progress: 1, outputsComplete: true });
    expect(nodesOf(last)).toEqual({
      5: ['finished', '5'],
      '5.0.0.1': ['finished', '5'],
      '5.0.0.2': ['finished', '5'],
      6: ['finished', '6'],
    });
    for (const { nodes } of states) {
      const isInside = Object.values(nodes).some(
        ({ phase, nodeId }) => phase === 'running' && nodeId.startsWith('5.'),
      );
      if (isInside) expect(nodes['5']?.phase).toBe('running');
    }
    expect(states.some(({ nodes }) => nodes['5.0.0.2']?.phase === 'running')).toBe(true);
  });

  it('M12: keeps the outputs of nodes inside, under their own id', async () => {
    const { outputs, nodes } = (await statesOf(engine, expanding({ show: true }))).at(-1)!;
    expect(outputs).toEqual({ '5.0.0.shown': { text: ['shown inside'] }, 6: { text: ['text'] } });
    expect(nodes['5.0.0.shown']).toMatchObject({ displayNodeId: '5', phase: 'finished' });
  });

  it('M12: leaves none of them running where one fails, at any depth', async () => {
    const last = (await statesOf(engine, expanding({ depth: 2, fail: true }))).at(-1)!;
    expect(last).toMatchObject({ phase: 'failed', failure: { nodeId: '5', nodeType: 'ExpandOnPurpose' } });
    expect(nodesOf(last)).toEqual({
      5: ['failed', '5'],
      '5.0.0.1': ['finished', '5'],
      '5.0.0.2': ['failed', '5'],
      '5.0.0.2.0.0.1': ['finished', '5'],
      '5.0.0.2.0.0.2': ['failed', '5'],
    });
  });

  it('M12: completes a job whose lazy node left nodes out, which are neither running nor missing', async () => {
    const last = (
      await statesOf(engine, {
        1: { class_type: 'PromptStyler', inputs: { text: 'left out', style: 'none' } },
        2: { class_type: 'PromptStyler', inputs: { text: 'wanted', style: 'none' } },
        3: { class_type: 'LazySwitch', inputs: { switch: true, on_true: ['2', 0], on_false: ['1', 0] } },
        4: { class_type: 'PreviewText', inputs: { source: ['3', 0] } },
      })
    ).at(-1)!;
    expect(last).toMatchObject({ phase: 'completed', progress: 1, outputsComplete: true });
    expect(last.outputs).toEqual({ 4: { text: ['wanted'] } });
    expect(nodesOf(last)).toEqual({
      2: ['finished', '2'],
      3: ['finished', '3'],
      4: ['finished', '4'],
    });
  });

  it('M12: leaves no lazy node running whose wish failed', async () => {
    const last = (
      await statesOf(engine, {
        2: { class_type: 'ExpandOnPurpose', inputs: { anything: 1, nodes: 1, steps: 0, fail: true } },
        3: { class_type: 'LazySwitch', inputs: { switch: true, on_true: ['2', 0], on_false: 0 } },
        4: { class_type: 'PreviewText', inputs: { source: ['3', 0] } },
      })
    ).at(-1)!;
    expect(last).toMatchObject({ phase: 'failed', failure: { nodeId: '2' } });
    const nodes = nodesOf(last);
    expect(nodes).toMatchObject({ 2: ['failed', '2'], '2.0.0.1': ['failed', '2'] });
    expect(nodes['4']).toBeUndefined();
    expect(Object.values(nodes).map(([phase]) => phase)).not.toContain('running');
  });
});
