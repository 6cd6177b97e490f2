import type { Effect, Strike } from './effect.js';

/** Group F, second half: what jobs and those who may end them do. */
export const jobFaults = {
  'status says an unknown word': word(['brand_new', 'teleporting', '']),
  'status says a moving word': word(['erroring', 'cancel_requested', 'executed', 'cancelling_preparing']),
  'job is unknown for a while': ({ world, fault, victim, hit }) =>
    victim((job) => {
      if (job.hiddenUntil > world.clock.now()) return;
      const ms = fault.size * 25_000;
      job.hiddenSince = world.clock.now();
      job.hiddenUntil = job.hiddenSince + ms;
      world.untrue(job.hiddenUntil, { promptId: job.promptId, isFault: false });
      hit();
    }),
  'job vanishes': ({ world, victim, hit }) =>
    victim((job) => {
      job.hiddenSince = world.clock.now();
      job.hiddenUntil = Infinity;
      world.untrue(Infinity, { promptId: job.promptId, isFault: false });
      job.filters.push(() => []);
      job.end('cancelled', { quietly: true });
      hit();
    }),
  'history trails by seconds': ({ fault, victim, hit }) =>
    victim((job) => {
      job.lagMs = fault.size * 12_000;
      hit();
    }),
  'history trails by far': ({ victim, hit }) =>
    victim((job) => {
      job.lagMs = 40_000;
      hit();
    }),
  'job waits for long': ({ world, fault, victim, hit }) =>
    victim((job) => {
      job.holdUntil = world.clock.now() + fault.size * 600_000;
      hit();
    }),
  'someone else deletes the job, and nothing is said': ({ victim, hit }) =>
    victim((job) => {
      job.end('cancelled', { quietly: true });
      hit();
    }),
  'someone else interrupts the job': ({ victim, hit }) =>
    victim((job) => {
      job.end('cancelled');
      hit();
    }),
  'job ends while nobody is connected': ({ world, victim, hit }) =>
    victim((job) => {
      world.sockets.end();
      world.clock.at(1, () => job.end(job.plan.end));
      hit();
    }),
  'status and history have no route': ({ world, fault, hit }) => {
    const ms = 10_000 + fault.size * 80_000;
    world.routesGoneUntil = Math.max(world.routesGoneUntil, world.clock.now() + ms);
    world.untrue(world.routesGoneUntil);
    hit();
  },
  'user cancels': ({ world, victim, hit }) =>
    victim(({ plan }) => {
      if (world.user.cancel(plan.index)) hit();
    }),
  'user cancels, the job runs on': ({ world, victim, hit }) =>
    victim((job) => {
      job.runsOnRegardless = true;
      if (world.user.cancel(job.plan.index)) hit();
    }),
  'user leaves': userActs(({ world }, plan) => world.user.leave(plan)),
  'user aborts': userActs(({ world }, plan) => world.user.abort(plan)),
} satisfies Record<string, Effect>;

function word(words: readonly string[]): Effect {
  return ({ world, fault, random, victim, hit }) =>
    victim((job) => {
      const until = world.clock.now() + fault.size * 40_000;
      job.word = { word: random.pick(words), until };
      world.untrue(until, { promptId: job.promptId, isFault: false });
      hit();
    });
}

/** Acts on the fault's job, or where that is not to be, on the first other one. */
function userActs(act: (strike: Strike, plan: number) => boolean): Effect {
  return (strike) => {
    const { world, fault, hit } = strike;
    const begun = [...world.ledger.moments.keys()];
    if ([fault.job, ...begun].some((plan) => act(strike, plan))) hit();
  };
}
