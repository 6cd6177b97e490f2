import { asJsonObject } from '../../http/request.js';
import type { LocalHandler } from '../local-service.js';
import { empty, localJson, readObject } from '../local-http.js';
import { pythonText, ServerError } from '../python.js';
import { queueTuple } from '../run-local-job.js';

/** `POST /queue`: removes waiting jobs without a trace; answers nothing. */
export const editQueue: LocalHandler = async ({ service: { queue }, text }) => {
  const body = readObject(await text());
  if (body['clear'] === true) queue.clear();
  const named = body['delete'];
  if (Array.isArray(named)) for (const promptId of named) queue.remove(pythonText(promptId));
  return empty(200);
};

/** `GET /queue`: tuples with `extra_data` before the outputs; waiting jobs in heap order. */
export const listQueue: LocalHandler = ({ service: { queue, settings } }) =>
  localJson({
    queue_running: queue.running().map((job) => queueTuple(job, settings.facts)),
    queue_pending: queue.pending().map((job) => queueTuple(job, settings.facts)),
  });

/** `GET /prompt`: how many jobs run or wait. */
export const queueLength: LocalHandler = ({ service: { queue } }) =>
  localJson({ exec_info: { queue_remaining: queue.running().length + queue.pending().length } });

/**
 * `POST /interrupt`: interrupts the running job, or only the one that the body names; without effect before `execution_start`. An
 * engine that takes no id does not read the body.
 */
export const interrupt: LocalHandler = async ({ service: { queue, settings }, text }) => {
  if (!settings.facts.targetedInterrupt) {
    queue.interrupt();
    return empty(200);
  }
  const body = lenient(await text());
  if (Array.isArray(body)) throw new ServerError('the body is a list');
  const promptId = asJsonObject(body)?.['prompt_id'];
  queue.interrupt(typeof promptId === 'string' && promptId !== '' ? promptId : undefined);
  return empty(200);
};

/** This route alone accepts a body that is no JSON. */
const lenient = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
};

/** `POST /free`: flags that count once the present job is over; answers nothing. */
export const free: LocalHandler = async ({ service: { queue, freeing }, text }) => {
  const asked = readObject(await text());
  const what = { unloadModels: asked['unload_models'] === true, freeMemory: asked['free_memory'] === true };
  freeing.ask(what, queue.running().length > 0);
  return empty(200);
};
