import type { Effect, Strike } from './effect.js';

/** Group F, second half: what jobs and those who may end them do. */
export const jobFaults = {
  'status says an unknown word': word(['brand_new', 'teleporting', '']),
  'status says a moving word': word(['erroring', 'cancel_requested', 'executed', 'cancelling_preparing']),
  'job is unknown for a while': ({ backend, fault, victim, hit }) =>
    victim((job) => {
      if (job.hiddenUntil > backend.clock.now()) return;
      const ms = fault.size * 25_000;
      job.hiddenSince = backend.clock.now();
      job.hiddenUntil = job.hiddenSince + ms;
      backend.untrue(job.hiddenUntil, { promptId: job.promptId, isFault: false });
      hit();
    }),
  'job vanishes': ({ backend, victim, hit }) =>
    victim((job) => {
      job.hiddenSince = backend.clock.now();
      job.hiddenUntil = Infinity;
      backend.untrue(Infinity, { promptId: job.promptId, isFault: false });
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
  'job waits for long': ({ backend, fault, victim, hit }) =>
    victim((job) => {
      job.holdUntil = backend.clock.now() + fault.size * 600_000;
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
  'job ends while nobody is connected': ({ backend, victim, hit }) =>
    victim((job) => {
      backend.sockets.end();
      backend.clock.at(1, () => job.end(job.plan.end));
      hit();
    }),
  'status and history have no route': ({ backend, fault, hit }) => {
    const ms = 10_000 + fault.size * 80_000;
    backend.routesGoneUntil = Math.max(backend.routesGoneUntil, backend.clock.now() + ms);
    backend.untrue(backend.routesGoneUntil);
    hit();
  },
  'user cancels': ({ backend, victim, hit }) =>
    victim(({ plan }) => {
      if (backend.user.cancel(plan.index)) hit();
    }),
  'user cancels, the job runs on': ({ backend, victim, hit }) =>
    victim((job) => {
      job.runsOnRegardless = true;
      if (backend.user.cancel(job.plan.index)) hit();
    }),
  'user leaves': userActs(({ backend }, plan) => backend.user.leave(plan)),
  'user aborts': userActs(({ backend }, plan) => backend.user.abort(plan)),
} satisfies Record<string, Effect>;

function word(words: readonly string[]): Effect {
  return ({ backend, fault, random, victim, hit }) =>
    victim((job) => {
      const until = backend.clock.now() + fault.size * 40_000;
      job.word = { word: random.pick(words), until };
      backend.untrue(until, { promptId: job.promptId, isFault: false });
      hit();
    });
}

/** Acts on the fault's job, or where that is not to be, on the first other one. */
function userActs(act: (strike: Strike, plan: number) => boolean): Effect {
  return (strike) => {
    const { backend, fault, hit } = strike;
    const begun = [...backend.ledger.moments.keys()];
    if ([fault.job, ...begun].some((plan) => act(strike, plan))) hit();
  };
}
