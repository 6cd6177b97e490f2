import { common, drawTroubles, troubles } from './troubles.js';
import { drawJob } from './draw-job.js';
import { drawStrangers, type GeneratedService, mostBytes } from './generated-service.js';
import { drawSocketPictures, withSocketPictures } from './socket-pictures.js';
import { randomOf } from '../../simulation/random.js';
import { withShape } from './draw-shapes.js';

/** Draws the engine of a seed: its release, limits, refusals, speed, and what its jobs make. */
export const drawEngine = (seed: number): GeneratedService => {
  const random = randomOf(seed, 32);
  const drawnJobs = Array.from({ length: random.between(1, 3) }, (_, index) => drawJob(random, seed, index));
  // Drawn apart, so that a seed keeps its jobs and troubles where shapes are added.
  const shapes = randomOf(seed, 36);
  const sockets = randomOf(seed, 38);
  const jobs = drawnJobs.map((job) => {
    const socketPictures = drawSocketPictures(sockets);
    const workflow = withSocketPictures(withShape(shapes, job.workflow), socketPictures);
    return { ...job, workflow, socketPictures };
  });
  const drawn = drawTroubles(random, [...common, 'is deaf', 'swallows news of the queue', 'fails to list']);
  return {
    seed,
    jobs,
    troubles: drawn,
    strangers: drawStrangers(random),
    options: {
      dialect: 'local',
      seed,
      engine: random.pick(['0.3.40', '0.3.64', '0.6', '0.9', '0.26', 'latest'] as const),
      speed: random.pick([Infinity, 200, 50, 20]),
      switches: {
        recordDelayMs: random.pick([0, 1, 5, 10, 'random'] as const),
        ...(random.chance(0.3) && { maxPromptBytes: mostBytes }),
        ...(shapes.chance(0.5) && { assets: true }),
      },
      faults: drawn.flatMap((name) => troubles[name](random)),
    },
  };
};
