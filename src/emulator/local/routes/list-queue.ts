import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';
import { queueTuple } from '../queue/queue-tuple.js';

/** `GET /queue`: tuples with `extra_data` before the outputs; those that wait in no order. */
export const listQueue: LocalHandler = ({ service: { queue } }) =>
  localJson({
    queue_running: queue.running().map(queueTuple),
    queue_pending: queue.pending().map(queueTuple),
  });
