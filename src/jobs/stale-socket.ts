import type { Agenda, Due } from './timer-queue.js';
import type { Clock } from '../platform/platform.js';
import type { FrameSource } from '../socket/frame-source.js';

/** What a message may be late by: a socket that brings nothing for so long after REST was ahead of it has missed it. */
const lagMs = 10_000;
/** A service whose streams stall again and again is asked by REST in between. */
const betweenMs = 300_000;

/** The doubt whether the socket that claims to be open still brings the events of jobs. */
export interface Suspicion {
  /** REST has told of something that the open socket should have brought, and did not. */
  readonly missed: () => void;
  /** No job is followed any more: no timer is left, and what was noticed stays noticed. */
  readonly sleep: () => void;
  /** A job is followed again. */
  readonly wake: () => void;
}

/** What {@link suspicion} needs. */
export interface SuspicionNeeds {
  readonly platform: { readonly clock: Clock };
  readonly agenda: Agenda;
  readonly source: Pick<FrameSource, 'states' | 'heard' | 'recycle'>;
}

/**
 * Has a socket replaced that answers pings, or can't be pinged, and yet brings nothing.
 *
 * Once REST was ahead of it, the socket has 10 s to bring any message of any job; then it is recycled. It is not recycled
 * again before 5 minutes have passed and before a socket has brought something of a job: where a service sends nothing at
 * all, another socket does not help, and jobs are asked for by REST as before.
 */
export const suspicion = ({ platform: { clock }, agenda, source }: SuspicionNeeds): Suspicion => {
  let noticed: { readonly clientId: string; readonly heard: number; readonly at: number } | undefined;
  let recycledAt = -Infinity;
  let heardThen: number | undefined;

  const openSocket = (): string | undefined => {
    const state = source.states.value;
    return state._tag === 'open' ? state.clientId : undefined;
  };
  const check: Due = {
    dueAt: Infinity,
    place: -1,
    due: () => {
      const isStill = noticed?.clientId === openSocket() && noticed?.heard === source.heard;
      noticed = undefined;
      if (!isStill || source.heard === heardThen || clock.now() < recycledAt + betweenMs) return;
      recycledAt = clock.now();
      heardThen = source.heard;
      source.recycle();
    },
  };

  return {
    missed: () => {
      const clientId = openSocket();
      if (clientId === undefined) return;
      if (noticed?.clientId === clientId && noticed.heard === source.heard) return;
      noticed = { clientId, heard: source.heard, at: clock.now() };
      agenda.put(check, noticed.at + lagMs);
    },
    sleep: () => agenda.drop(check),
    wake: () => {
      if (noticed !== undefined) agenda.put(check, Math.max(clock.now(), noticed.at + lagMs));
    },
  };
};
