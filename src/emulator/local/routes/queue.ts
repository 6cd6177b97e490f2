import { done } from '../../http/answer.js';
import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';
import { pythonText } from '../python-text.js';
import { queueTuple } from '../queue/local-job.js';
import { readObject } from '../read-body.js';

/** `GET /queue`: tuples with `extra_data` before the outputs; those that wait in no order. */
export const listQueue: LocalHandler = ({ service: { queue } }) =>
  localJson({
    queue_running: queue.running().map(queueTuple),
    queue_pending: queue.pending().map(queueTuple),
  });

/** `POST /queue`: takes waiting jobs out, as if they had never been; answers nothing. */
export const editQueue: LocalHandler = async ({ service: { queue }, text }) => {
  const body = readObject(await text());
  if (body['clear'] === true) queue.clear();
  const named = body['delete'];
  if (Array.isArray(named)) for (const promptId of named) queue.remove(pythonText(promptId));
  return done;
};

/** `GET /prompt`: how many jobs run or wait. */
export const queueLength: LocalHandler = ({ service: { queue } }) =>
  localJson({ exec_info: { queue_remaining: queue.running().length + queue.pending().length } });
