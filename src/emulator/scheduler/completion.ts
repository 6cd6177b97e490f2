import type { EventData } from '../messages.js';
import type { Switches } from '../switches.js';

/** What open work of the engine tells of a run that came through all of its nodes. */
export const completionOf = ({ openWork }: Pick<Switches, 'openWork'>): EventData =>
  openWork ? { completion_status: 'success', has_errors: false, execution_error_count: 0 } : {};
