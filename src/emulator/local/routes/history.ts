import type { LocalHandler } from '../local-service.js';
import { empty, localJson, readObject } from '../local-http.js';
import { pythonText, ServerError } from '../python.js';

/** `POST /history`: deletes records; answers nothing. */
export const editHistory: LocalHandler = async ({ service: { queue }, text }) => {
  const body = readObject(await text());
  if (body['clear'] === true) queue.history.clear();
  const named = body['delete'];
  if (Array.isArray(named)) for (const promptId of named) queue.history.delete(pythonText(promptId));
  return empty(200);
};

/** `GET /history/{id}`: the record under its id; `{}` for a job that has not ended or is unknown. */
export const historyOf: LocalHandler = ({ service: { queue }, params }) => {
  const [promptId = ''] = params;
  const record = queue.history.get(promptId);
  return localJson(record ? { [promptId]: record } : {});
};

/** `GET /history`: every record, or `max_items` of them from `offset`, without it from the end. */
export const listHistory: LocalHandler = ({ service: { queue }, query }) => {
  const records = [...queue.history];
  const maxItems = whole(query.get('max_items'));
  if (maxItems === undefined) return localJson(Object.fromEntries(records));
  const offset = whole(query.get('offset')) ?? -1;
  const from = offset < 0 ? Math.max(0, records.length - maxItems) : offset;
  return localJson(Object.fromEntries(records.slice(from, from + maxItems)));
};

const whole = (text: string | null): number | undefined => {
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text.trim())) throw new ServerError(`${text} is no whole number`);
  return Number(text);
};
