import type { EmulatorClock } from '../clock.js';
import { event } from '../messages.js';
import type { LocalHub } from './local-hub.js';

/** One line of the server's log: when it was written, and its text with the line break. */
export interface LogEntry {
  readonly t: string;
  readonly m: string;
}

/** The latest lines of the server's log; sockets that subscribed get each new one as an event `logs`. */
export interface LocalLog {
  readonly entries: readonly LogEntry[];
  readonly write: (line: string) => void;
  /** Begins or ends the events of one client id; the subscription ends with its socket. */
  readonly subscribe: (clientId: string, enabled: boolean) => void;
}

/** An empty log. */
export const createLocalLog = (
  hub: Pick<LocalHub, 'send' | 'has'>,
  { now }: Pick<EmulatorClock, 'now'>,
): LocalLog => {
  const entries: LogEntry[] = [];
  const subscribers = new Set<string>();
  let shownSize: typeof terminalSize | null = terminalSize;
  return {
    entries,
    subscribe: (clientId, enabled) => {
      if (enabled) subscribers.add(clientId);
      else subscribers.delete(clientId);
    },
    write: (line) => {
      const entry = { t: new Date(now()).toISOString().slice(0, -1), m: `${line}\n` };
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) entries.shift();
      for (const clientId of subscribers) {
        if (hub.has(clientId)) hub.send(event('logs', { entries: [entry], size: shownSize }), { clientId });
        else subscribers.delete(clientId);
      }
      // The size comes with an event only where it has changed.
      if (subscribers.size > 0) shownSize = null;
    },
  };
};

/** The size of the server's terminal. */
export const terminalSize = { cols: 80, rows: 24 } as const;

const MAX_ENTRIES = 300;
