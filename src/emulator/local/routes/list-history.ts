import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';
import { ServerTrouble } from '../server-trouble.js';

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
  if (!/^[+-]?\d+$/.test(text.trim())) throw new ServerTrouble(`${text} is no whole number`);
  return Number(text);
};
