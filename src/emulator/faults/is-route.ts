import { matchPath } from '../http/match-path.js';

/** True where the pattern means this request; a bare path and one under `/api` are the same. */
export const isRoute = (pattern: string, method: string, path: string): boolean => {
  if (pattern === '*') return true;
  const [wanted = '', route = ''] = pattern.split(' ');
  return wanted === method && matchPath(underApi(route), underApi(path)) !== undefined;
};

const underApi = (path: string): string => (path.startsWith('/api/') ? path : `/api${path}`);
