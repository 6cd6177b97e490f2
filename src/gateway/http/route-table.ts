import type { Route } from './route.js';

/** What a method and a path lead to. */
export type RouteMatch =
  | { readonly _tag: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path has routes of other methods only. */
  | { readonly _tag: 'otherMethod'; readonly allow: readonly string[] }
  | { readonly _tag: 'unknown' };

/** Makes the look-up of routes. Of two routes that match, the first one in the list counts. */
export const routeTable = (routes: readonly Route[]): ((method: string, path: string) => RouteMatch) => {
  const byLength = new Map<number, Entry[]>();
  for (const route of routes) {
    const segments = route.path.split('/');
    const entries = byLength.get(segments.length) ?? [];
    byLength.set(segments.length, [...entries, { route, segments }]);
  }
  return (method, path) => {
    const parts = path.split('/');
    const matches = (byLength.get(parts.length) ?? []).flatMap(({ route, segments }) => {
      const params = paramsOf(segments, parts);
      return params === undefined ? [] : [{ route, params }];
    });
    if (matches.length === 0) return { _tag: 'unknown' };
    const found =
      matches.find(({ route }) => route.method === method) ??
      (method === 'HEAD' ? matches.find(({ route }) => route.method === 'GET') : undefined);
    if (found !== undefined) return { _tag: 'found', ...found };
    const allow = new Set(
      matches.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])),
    );
    return { _tag: 'otherMethod', allow: [...allow] };
  };
};

interface Entry {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** The decoded parameters, or undefined where the path is another one. */
const paramsOf = (
  segments: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  const params = Object.create(null) as Record<string, string>;
  for (const [at, segment] of segments.entries()) {
    const part = parts[at] ?? '';
    if (!segment.startsWith(':')) {
      if (segment !== part) return undefined;
    } else {
      const value = decoded(part);
      if (value === undefined || value === '') return undefined;
      params[segment.slice(1)] = value;
    }
  }
  return params;
};

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};
