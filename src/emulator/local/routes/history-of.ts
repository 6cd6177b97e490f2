import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /history/{id}`: the record under its id; `{}` for a job that has not ended or that nobody knows. */
export const historyOf: LocalHandler = ({ service: { queue }, params }) => {
  const [promptId = ''] = params;
  const record = queue.history.get(promptId);
  return localJson(record ? { [promptId]: record } : {});
};
