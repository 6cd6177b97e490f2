import { common, drawTroubles, troubles } from './troubles.js';
import { drawJob } from './draw-job.js';
import { drawStrangers, type GeneratedService, mostBytes } from './generated-service.js';
import { drawSocketPictures, withSocketPictures } from './socket-pictures.js';
import { randomOf } from '../../simulation/random.js';
import { withShape } from './draw-shapes.js';

/** Draws the cloud service of a seed: its year, plan, limits, refusals, speed, and what its jobs make. */
export const drawCloud = (seed: number): GeneratedService => {
  const random = randomOf(seed, 34);
  const drawnJobs = Array.from({ length: random.between(1, 3) }, (_, index) => drawJob(random, seed, index));
  // Drawn apart, so that a seed keeps its jobs and troubles where shapes are added.
  const shapes = randomOf(seed, 37);
  const sockets = randomOf(seed, 39);
  const jobs = drawnJobs.map((job) => {
    const socketPictures = drawSocketPictures(sockets);
    const workflow = withSocketPictures(withShape(shapes, job.workflow), socketPictures);
    return { ...job, workflow, socketPictures };
  });
  const historyLagMs = random.pick([0, 0, 5, 50]);
  const drawn = drawTroubles(random, [...common, 'fails to tell']).filter(
    // A text that one socket drops and the record lists later is in no answer before: its service counts files alone.
    (name, _, all) => name !== 'swallows outputs' || (historyLagMs === 0 && !all.includes('records late')),
  );
  return {
    seed,
    jobs,
    troubles: drawn,
    strangers: drawStrangers(random),
    options: {
      dialect: 'cloud',
      seed,
      profile: random.pick(['2026', '2026-11'] as const),
      tier: random.pick(['standard', 'creator', 'pro'] as const),
      speed: random.pick([Infinity, 200, 50, 20]),
      switches: {
        modelOutputs: random.pick(['text', 'annotated', 'listed'] as const),
        fileMetadata: random.chance(0.5),
        historyLagMs,
        ...(random.chance(0.3) && { maxPromptBytes: mostBytes }),
      },
      faults: drawn.flatMap((name) => troubles[name](random)),
    },
  };
};
