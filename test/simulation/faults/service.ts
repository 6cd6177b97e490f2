import type { Effect } from './effect.js';

const frozenAfterMs = 300_000;

/** What a service does besides: ids that it does not know yet, sockets that it opens and refuses, a page that is hidden. */
export const serviceFaults = {
  'own id is unknown for a minute and a half': unknownFor(90_000),
  'own id is unknown for ten minutes': unknownFor(600_000),
  'socket opens and is refused with 1008': refusedOpen(1008),
  'socket opens and is refused with 4401': refusedOpen(4401),
  'socket opens and is refused with 4403': refusedOpen(4403),
  'page is hidden': ({ backend, fault, hit }) => {
    const ms = 10_000 + 590_000 * fault.size;
    backend.clock.hide(ms);
    // After some minutes a browser freezes the page: nothing of it runs until it is shown again.
    if (backend.kind === 'page' && ms > frozenAfterMs)
      backend.clock.at(frozenAfterMs, () => backend.clock.sleep(ms - frozenAfterMs));
    // A line that is idle for so long may be gone.
    const socket = backend.sockets.live();
    if (socket !== undefined && fault.index % 2 === 0) socket.carries = false;
    backend.untrue(backend.clock.now() + ms);
    hit();
  },
} satisfies Record<string, Effect>;

/** From its acceptance, or where it is known already from now on, for up to so long. */
function unknownFor(most: number): Effect {
  return ({ backend, fault, victim, hit }) =>
    victim((job) => {
      if (job.hiddenUntil > backend.clock.now()) return;
      job.hiddenSince = backend.clock.now();
      job.hiddenUntil = job.hiddenSince + most * (most > 100_000 ? 1 : fault.size);
      backend.untrue(job.hiddenUntil, { promptId: job.promptId, isFault: false });
      hit();
    });
}

/** The socket opens, and a moment later the service closes it like one whose key is none; several times in a row. */
function refusedOpen(code: number): Effect {
  return ({ backend, fault, hit }) => {
    const times = 1 + Math.floor(4 * fault.size);
    for (let time = 0; time < times; time += 1)
      backend.sockets.fates.push({ how: 'opens and is refused', code, hit });
    backend.sockets.end({ code: 1006, errorCode: 'ECONNRESET' });
  };
}
