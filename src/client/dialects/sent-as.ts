import type { DialectStrategy } from './dialect.js';

/** How a client sends its key, beside the dialect. */
export interface SentAs {
  readonly auth?: 'key' | 'bearer' | undefined;
  readonly workspace?: string | undefined;
}

/** The same dialect, whose calls carry the key as these options say; one without keys stays as it is. */
export const sentAs = (dialect: DialectStrategy, { auth, workspace }: SentAs): DialectStrategy => {
  const { http, usesKey } = dialect;
  if (!usesKey || (auth !== 'bearer' && workspace === undefined)) return dialect;
  return {
    ...dialect,
    http: {
      ...http,
      keyHeaders: [
        ...http.keyHeaders,
        ...(auth === 'bearer' ? ['authorization'] : []),
        ...(workspace === undefined ? [] : ['x-comfy-workspace-id']),
      ],
      authHeaders: (key, path) => ({
        ...(auth === 'bearer' ? { authorization: `Bearer ${key}` } : http.authHeaders(key, path)),
        ...(workspace !== undefined && { 'x-comfy-workspace-id': workspace }),
      }),
    },
  };
};
