import { answerHandshake } from './handshake.js';
import { type ClientFlags, encodeMessage, noFlags } from './encode-message.js';
import type { EventGate } from '../faults/event-gate.js';
import type { Outlet } from './outlet.js';
import type { ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';

/** The open sockets of one account: each of them gets everything. */
export interface Hub {
  /** Takes over an open socket; `greeting` is sent to it before anything else. */
  readonly add: (outlet: Outlet, greeting: ServiceMessage) => void;
  readonly send: (message: ServiceMessage) => void;
}

/** Everything that leaves for a socket goes through here, and before that through the gate. */
export const createHub = (settings: Settings, gate: EventGate): Hub => {
  const outlets = new Map<Outlet, ClientFlags>();

  const add = (outlet: Outlet, greeting: ServiceMessage): void => {
    outlets.set(outlet, noFlags);
    let first = true;
    outlet.onText((text) => {
      if (!first) return;
      const outcome = answerHandshake(text, settings);
      first = outcome === 'not a message';
      if (typeof outcome === 'string') return;
      outlets.set(outlet, outcome.flags);
      outlet.send(outcome.answer);
    });
    outlet.onClose(() => outlets.delete(outlet));
    for (const wire of encodeMessage(greeting, settings)(noFlags)) outlet.send(wire);
  };

  const deliver = (message: ServiceMessage): void => {
    if (outlets.size === 0) return;
    const encoded = encodeMessage(message, settings);
    for (const [outlet, flags] of outlets) for (const wire of encoded(flags)) outlet.send(wire);
  };

  return { add, send: (message) => gate(message, deliver) };
};
