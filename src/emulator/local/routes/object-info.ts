import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /object_info`: every node class, or the one that the path names (none of that name: an empty map). */
export const objectInfo: LocalHandler = ({ service, params: [wanted] }) => {
  const inputs = service.files.inputs();
  const entries = [...service.nodeClasses]
    .filter(([name]) => wanted === undefined || name === wanted)
    .map(([name, nodeClass]) => [name, nodeClass.definition({ inputs })]);
  return localJson(Object.fromEntries(entries));
};
