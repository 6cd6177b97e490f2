import type { Effect } from '../faults/effect.js';
import { plainJob } from '../plain-job.js';
import type { JobPlan } from '../schedule.js';
import type { SimJob } from '../sim-jobs.js';
import type { LocalServer } from './local-server.js';

/** What befalls a local server and those who share it. They do nothing to another service. */
export const localFaults = {
  'local: the server restarts': ({ backend, fault, hit }) => {
    if (backend.local === undefined) return;
    const ms = 1_000 * 60 ** fault.size;
    backend.network.downUntil = Math.max(backend.network.downUntil, backend.clock.now() + ms);
    backend.untrue(backend.clock.now() + ms);
    backend.local.die(ms);
    backend.sockets.end({ code: 1006, reason: '' });
    hit();
  },
  'local: somebody deletes the waiting job': ({ backend, fault, victim, hit }) => {
    const remove = (job: SimJob): void => {
      if (backend.local !== undefined && backend.local.remove((other) => other === job) > 0) hit();
    };
    const waiting = backend.local?.pending().filter(({ promptId }) => backend.jobs.byId.has(promptId)) ?? [];
    const own = waiting.find(({ plan }) => plan.index === fault.job) ?? waiting[0];
    if (own === undefined) victim(remove);
    else remove(own);
  },
  'local: somebody clears the queue': served((server) => server.remove(() => true) > 0),
  'local: somebody interrupts whatever runs': served((server) => {
    server.interrupt();
    return server.running()?.isInterrupted === true;
  }),
  'local: somebody clears the history': served((server) => server.clearHistory()),
  'local: another socket takes the client id': ({ backend, hit }) => {
    const socket = backend.sockets.live();
    if (socket !== undefined && backend.local?.hub.takeOver(socket.clientId) === true) hit();
  },
  'local: a job without a client id': ({ backend, fault, hit }) => {
    const plan = foreignPlan(fault.index, { nodes: 3, stepMs: 500 * fault.size });
    backend.local?.queueForeign(plan, { promptId: `foreign-${fault.index}`, number: -1 - fault.index });
    if (backend.local !== undefined) hit();
  },
  'local: others go first': ({ backend, fault, hit }) => {
    for (let place = 0; place < 3; place += 1) {
      const plan = foreignPlan(fault.index, { stepMs: 2_000 * fault.size });
      backend.local?.queueForeign(plan, {
        clientId: 'somebody else',
        number: -100 * (1 + fault.index) - place,
      });
    }
    if (backend.local !== undefined) hit();
  },
  'local: thousands of others wait': ({ backend, fault, hit }) => {
    const server = backend.local;
    if (server === undefined) return;
    // A size above 1 is never drawn: it is one test's, of a listing of many megabytes.
    const plan = foreignPlan(fault.index, { stepMs: 1_000, nodes: Math.ceil(fault.size) });
    for (let place = 0; place < 1_000; place += 1)
      server.queueForeign(plan, { clientId: 'somebody else', number: 1_000_000 + place });
    backend.clock.at(1_000 + 60_000 * Math.min(1, fault.size), () =>
      server.remove((job) => job.plan === plan),
    );
    hit();
  },
} satisfies Record<string, Effect>;

/** Jobs of another client carry numbers that no job of a schedule has. */
const foreignPlan = (index: number, plan: Partial<JobPlan>): JobPlan => ({
  ...plainJob(900 + index),
  ...plan,
});

function served(work: (server: LocalServer) => boolean): Effect {
  return ({ backend, hit }) => {
    if (backend.local !== undefined && work(backend.local)) hit();
  };
}
