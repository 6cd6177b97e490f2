import { matchPath } from './match-path.js';

/** A route and what the `{…}` parts of its path were. */
export interface RouteMatch<R> {
  readonly route: R;
  readonly params: readonly string[];
}

/** Finds the route of a request; a path that only other methods have is told as such. */
export const matchRoute = <R extends { readonly method: string; readonly path: string }>(
  routes: readonly R[],
  method: string,
  path: string,
): RouteMatch<R> | 'other method' | undefined => {
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params ? [{ route, params }] : [];
  });
  return (
    matches.find(({ route }) => route.method === method) ?? (matches.length > 0 ? 'other method' : undefined)
  );
};
