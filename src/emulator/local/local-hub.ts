import { answerHandshake, serverFlags } from '../sockets/handshake.js';
import { type ClientFlags, encodeEvent, encodeMessage, noFlags } from '../sockets/encode-message.js';
import type { EventGate } from '../faults/event-gate.js';
import type { LocalJob } from './run-local-job.js';
import type { Outlet } from '../sockets/outlet.js';
import { pythonJson } from './python.js';
import type { ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';

/** Whom a message is for: the socket with this client id, or all of them, whatever flags they have. */
type Addressee = 'everybody' | { readonly clientId: unknown };

/** The open sockets of the local server, one a client id. */
export interface LocalHub {
  /** Takes over an open socket as the one of this client id, whoever had it before. */
  readonly add: (clientId: string, outlet: Outlet, greetings: readonly ServiceMessage[]) => void;
  readonly send: (message: ServiceMessage, to: Addressee) => void;
  /** True where the flags that a client announced are no object, which breaks its previews. */
  readonly hasBrokenFlags: (clientId: unknown) => boolean;
}

/**
 * A newer socket with the same client id takes the place of the older one, which stays open and hears nothing more.
 * Whichever socket closes takes the place with it, even where it belongs to a newer one by then: that one is deaf from
 * there on.
 */
export const createLocalHub = (settings: Settings, gate: EventGate): LocalHub => {
  const places = new Map<unknown, { readonly outlet: Outlet; flags: ClientFlags | 'broken' }>();

  const add: LocalHub['add'] = (clientId, outlet, greetings) => {
    const place = { outlet, flags: noFlags as ClientFlags | 'broken' };
    places.set(clientId, place);
    let first = true;
    outlet.onText((text) => {
      if (!first) return;
      const outcome = localHandshake(text, settings);
      first = outcome === 'not a message';
      if (typeof outcome === 'string') return;
      place.flags = outcome.flags;
      outlet.send(outcome.answer);
    });
    outlet.onClose(() => places.delete(clientId));
    for (const greeting of greetings)
      for (const wire of encodeMessage(greeting, settings, pythonJson)(noFlags)) outlet.send(wire);
  };

  const deliver = (message: ServiceMessage, to: Addressee): void => {
    if (places.size === 0) return;
    const encoded = encodeMessage(message, settings, pythonJson);
    if (to === 'everybody') {
      for (const { outlet } of places.values()) for (const wire of encoded(noFlags)) outlet.send(wire);
      return;
    }
    const place = places.get(to.clientId);
    if (!place) return;
    const flags = place.flags === 'broken' ? noFlags : place.flags;
    for (const wire of encoded(flags)) place.outlet.send(wire);
  };

  const send: LocalHub['send'] = (message, to) => gate(message, (passed) => deliver(passed, to));

  const hasBrokenFlags = (clientId: unknown): boolean => places.get(clientId)?.flags === 'broken';

  return { add, send, hasBrokenFlags };
};

/** What came of a socket's message; flags that are no object are taken and answered like any others. */
export type LocalHandshake =
  { readonly flags: ClientFlags | 'broken'; readonly answer: string } | 'something else' | 'not a message';

/** Reads a client's message as the handshake, with the local server's carelessness about its `data`. */
const localHandshake = (text: string, settings: Settings): LocalHandshake => {
  const outcome = answerHandshake(text, settings);
  if (outcome === 'not a message') return outcome;
  const answer = encodeEvent('feature_flags', serverFlags(settings), pythonJson);
  if (typeof outcome !== 'string') return { flags: outcome.flags, answer };
  const message = JSON.parse(text) as { readonly type?: unknown; readonly data?: unknown };
  return message.type === 'feature_flags' ? { flags: 'broken', answer } : outcome;
};

/**
 * Whom a job's message is for. A job without a client id is heard by nobody, but its progress, texts, plain previews
 * and interruption by everybody.
 */
export const addresseeOf = (message: ServiceMessage, { clientId }: LocalJob): Addressee | undefined => {
  if (clientId !== undefined && clientId !== null) return { clientId };
  return message.kind !== 'event' || loudEvents.has(message.type) ? 'everybody' : undefined;
};

const loudEvents: ReadonlySet<string> = new Set(['progress', 'progress_state', 'execution_interrupted']);
