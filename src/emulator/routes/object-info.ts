import type { Handler } from '../http/api-request.js';
import { json } from '../http/answer.js';

/** `GET /api/object_info`: every node class, or the one that the path names (none of that name: an empty map). */
export const objectInfo: Handler = ({ service, account, params }) => {
  const files = { inputs: account.files.inputs() };
  const entries = [...service.nodeClasses].map(
    ([name, nodeClass]) => [name, nodeClass.definition(files)] as const,
  );
  const [wanted] = params;
  return json(
    Object.fromEntries(wanted === undefined ? entries : entries.filter(([name]) => name === wanted)),
  );
};
