import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /prompt`: how many jobs run or wait. */
export const queueLength: LocalHandler = ({ service: { queue } }) =>
  localJson({ exec_info: { queue_remaining: queue.running().length + queue.pending().length } });
