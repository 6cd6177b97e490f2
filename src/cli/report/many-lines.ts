import { batchEnd } from './batch-lines.js';
import type { CliEvent } from './cli-event.js';
import type { Line } from '../terminal/line.js';
import { serversView } from '../terminal/servers-view.js';

type ManyEvent = Extract<CliEvent, { kind: 'batch' | 'servers' | 'engines' }>;

/** Whether an event is about many jobs or servers. */
export const isOfMany = (event: CliEvent): event is ManyEvent =>
  event.kind === 'batch' || event.kind === 'servers' || event.kind === 'engines';

/** What such an event prints: tables and addresses as results, ends of jobs as notes. */
export const manyLines = (
  event: ManyEvent,
): { readonly results?: readonly Line[]; readonly notes?: readonly Line[] } => {
  switch (event.kind) {
    case 'batch':
      return { notes: batchEnd(event) };
    case 'servers':
      return { results: serversView(event.servers) };
    case 'engines':
      return { results: [[event.baseUrls.map((url) => `--server ${url}`).join(' ')]] };
  }
};
