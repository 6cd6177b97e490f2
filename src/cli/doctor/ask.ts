import type { Agent } from 'node:http';
import { errorCode } from '../error-code.js';
import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';
import type { Patient } from './finding.js';

/** An answer, of which the beginning of the body was read. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** What to send. */
export interface AskOptions {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether key and headers of the settings go along; default true. They never go to another origin. */
  readonly withKey?: boolean;
}

/** Characters of a body that are read. */
const maxRead = 65_536;

/** Asks as the client would: by the same proxy, with the same headers. Follows no redirect. Rejects where no answer comes. */
export const ask = (
  { settings, url: base, stop, patienceMs }: Patient,
  target: string | URL,
  { method = 'GET', headers = {}, withKey = true }: AskOptions = {},
): Promise<Answered> => {
  const url = target instanceof URL ? target : new URL(base.pathname.replace(/\/$/u, '') + target, base);
  const own = withKey && url.origin === base.origin ? credentials(settings) : {};
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overTls : overHttp)(
      url,
      {
        method,
        headers: { accept: '*/*', ...own, ...headers },
        agent: agentOf(settings, url),
        signal: AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]),
      },
      (response) => {
        let text = '';
        const done = (): void =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          if (text.length <= maxRead) return;
          done();
          response.destroy();
        });
        response.on('end', done);
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end();
  });
};

/** The agent of a URL, which is that of the proxy where there is one. */
export const agentOf = ({ agent }: Patient['settings'], url: URL): Agent | undefined =>
  typeof agent === 'function' ? agent(url) : agent;

/** The headers that the settings send. */
export const credentials = ({
  apiKey,
  auth,
  dialect,
  headers = [],
}: Patient['settings']): Record<string, string> => ({
  ...(apiKey !== undefined &&
    (auth === 'bearer' || dialect === 'v2'
      ? { authorization: `Bearer ${apiKey}` }
      : { 'x-api-key': apiKey })),
  ...Object.fromEntries(headers),
});

/** The body as JSON; undefined if it is not JSON. */
export const jsonOf = ({ text }: Answered): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Why no answer came, in a word of the system where there is one. */
export const reason = (error: unknown): string => {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'no answer in time';
  return errorCode(error) ?? (error instanceof Error ? error.message : 'unknown reason');
};
