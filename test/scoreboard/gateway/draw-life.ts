import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { unknownFailure } from '../../../src/core/state/failure.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import type { Random } from '../../simulation/random.js';

export const lifeWorkflow = {
  1: { class_type: 'Load', inputs: {} },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
};

/** Draws the states of a job from its submission to its end: it runs, moves on, saves files, warns, and ends in one of five ways. */
export const drawLife = (random: Random, promptId: string): readonly JobState[] => {
  const states: JobState[] = [initialJobState({ promptId, workflow: lifeWorkflow })];
  const last = (): JobState => states.at(-1)!;
  const then = (change: Partial<JobState>): void => void states.push({ ...last(), ...change });
  let files = 0;
  const save = (): void => {
    const nodeId = random.pick(['2', '3']);
    const known = (last().outputs[nodeId]?.['images'] ?? []) as readonly unknown[];
    const images = Array.from({ length: random.between(1, 3) }, () => ({
      filename: `${promptId}-${(files += 1)}.png`,
      subfolder: '',
      type: 'output',
    }));
    then({ outputs: { ...last().outputs, [nodeId]: { images: [...known, ...images] } } });
  };
  const progress = (): void => {
    const value = last().progress + (0.95 - last().progress) * random.next();
    const node = { nodeId: '1', displayNodeId: '1', phase: 'running' as const, max: 100 };
    then({ progress: value, nodes: { 1: { ...node, value: Math.floor(value * 100), fraction: value } } });
  };

  if (random.chance(0.9)) then({ phase: 'in_progress', startedAt: 1_000 });
  const steps = last().phase === 'pending' ? 0 : random.between(0, 9);
  for (let step = 0; step < steps; step += 1) {
    const draw = random.next();
    if (draw < 0.4) save();
    else if (draw < 0.85) progress();
    else then({ warnings: [...last().warnings, `warning ${step}`] });
  }
  const phase = random.pick(['completed', 'completed', 'completed', 'failed', 'cancelled'] as const);
  then({
    phase,
    endedAt: 2_000,
    ...(phase === 'completed' && { progress: 1, outputsComplete: true }),
    ...(phase === 'failed' && { failure: unknownFailure('as drawn') }),
  });
  return states;
};
