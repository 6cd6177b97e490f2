import type { WebSocket } from 'ws';
import type { Outlet } from '../sockets/outlet.js';
import type { EmulatorClock } from '../clock.js';
import { encodeEvent } from '../wire.js';
import { neighbourPreview } from './neighbour-preview.js';
import type { InterruptionDeed } from './socket-fault.js';

/** Where a flood goes, and how it keeps time. */
export interface FloodOptions {
  readonly outlet: Outlet;
  readonly clock: EmulatorClock;
  readonly uuid: () => string;
  readonly socket: Pick<WebSocket, 'readyState' | 'OPEN'>;
}

/** Tells a socket of jobs of a neighbour that send pictures for as long as it is open. */
export const flood = (
  { jobs = 1, hz = 10, previewBytes = 200_000 }: Extract<InterruptionDeed, { readonly do: 'flood' }>,
  { outlet, clock, uuid, socket }: FloodOptions,
): void => {
  const picture = neighbourPreview(previewBytes);
  let cancel = (): void => undefined;
  outlet.onClose(() => cancel());
  for (let job = 0; job < jobs; job += 1)
    outlet.send(encodeEvent('execution_start', { prompt_id: uuid(), timestamp: 0 }));
  const next = (): void => {
    // It may be over before the flood begins, and tells of its end only once.
    if (socket.readyState !== socket.OPEN) return;
    cancel = clock.after(1000 / hz, () => {
      for (let job = 0; job < jobs; job += 1) outlet.send(picture);
      next();
    });
  };
  next();
};
