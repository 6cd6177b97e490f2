import { done } from '../../http/answer.js';
import { asJsonObject } from '../../http/read-json.js';
import type { LocalHandler } from '../local-service.js';
import { ServerTrouble } from '../server-trouble.js';

/** `POST /interrupt`: ends what runs, or only the job that the body names; without effect before `execution_start`. */
export const interrupt: LocalHandler = async ({ service: { queue }, text }) => {
  const body = lenient(await text());
  if (Array.isArray(body)) throw new ServerTrouble('the body is a list');
  const promptId = asJsonObject(body)?.['prompt_id'];
  queue.interrupt(typeof promptId === 'string' && promptId !== '' ? promptId : undefined);
  return done;
};

/** Only here a body that is no JSON counts as none. */
const lenient = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
};
