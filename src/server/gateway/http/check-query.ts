import type { Refusal } from './refusal.js';
import type { Route } from './route.js';

/** Refuses a query with a parameter that the route does not have: its answer would look as if the parameter had counted. */
export const checkQuery = ({ query }: Pick<Route, 'query'>, url: URL): Refusal | undefined => {
  if (query === undefined) return undefined;
  const unknown = [...url.searchParams.keys()].find(
    (name) => !query.includes(name.replace(/\[.*\]$/su, '[]')),
  );
  if (unknown === undefined) return undefined;
  const named = unknown.slice(0, 100);
  const known = query.map((name) => `\`${name}\``).join(', ');
  return {
    status: 400,
    code: 'unknown_parameter',
    message:
      query.length === 0
        ? `The query takes no parameter, and so no \`${named}\`.`
        : `The query takes ${known}, and no \`${named}\`.`,
    details: { parameter: named, known: query },
  };
};
