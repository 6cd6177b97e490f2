import type { SocketEnd } from '../../../src/core/platform/platform.js';
import type { HandshakeFate } from '../sim-sockets.js';
import type { Effect } from './effect.js';

/** Group A: the handshake. The socket of the moment ends first, so that there is one. */
export const connectionFaults = {
  'handshake 401': refusedOnce(401),
  'handshake 403': refusedOnce(403),
  'handshake 402': refusedOnce(402),
  'handshake 429': refusedOnce(429),
  'handshake redirected': refusedOnce(302),
  'handshake answered as a page': handshakes(200),
  'handshake 503, again and again': handshakes(503, 8),
  'handshake 502': handshakes(502),
  'handshake stalls': handshakes('stalls'),
  'handshake refused': handshakes('refused', 4),
  'sockets open and die': handshakes('opens and dies', 8),
  'handshake fails without a word': handshakes(401, 2, true),
} satisfies Record<string, Effect>;

function handshakes(how: HandshakeFate['how'], most = 1, hidden = false): Effect {
  return ({ backend, fault, hit }) => {
    const times = 1 + Math.floor(fault.size * most);
    for (let time = 0; time < times; time += 1) backend.sockets.fates.push({ how, hidden, hit });
    backend.sockets.end(reset);
  };
}

/** What no later attempt escapes, until the user says so; the others have to be confirmed by REST, or met again. */
const isFatal: ReadonlySet<number> = new Set([302, 402]);

/** A handshake that is refused. */
function refusedOnce(status: number): Effect {
  return ({ backend, fault, hit, random }) => {
    const resumes = random.chance(0.6);
    backend.sockets.fates.push({
      how: status,
      hit: () => {
        hit();
        if (backend.kind !== 'node' || !isFatal.has(status)) return;
        backend.ledger.stops.push({ at: backend.clock.now(), kind: 'socket' });
        if (resumes) backend.clock.deliver(10_000 + fault.size * 60_000, () => backend.user.resume());
      },
    });
    backend.sockets.end(reset);
  };
}

const reset: Partial<SocketEnd> = { code: 1006, errorCode: 'ECONNRESET' };
