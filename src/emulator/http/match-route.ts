/** A route and what the `{…}` parts of its path were. */
export interface RouteMatch<R> {
  readonly route: R;
  readonly params: readonly string[];
}

/** Finds the route of a request; `'other method'` where the path exists for other methods only. */
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

/** The decoded `{…}` parts of a path, if the pattern fits. */
export const matchPath = (pattern: string, path: string): readonly string[] | undefined => {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return undefined;
  const params: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (wanted[index]?.startsWith('{')) params.push(decode(part));
    else if (wanted[index] !== part) return undefined;
  }
  return params;
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
