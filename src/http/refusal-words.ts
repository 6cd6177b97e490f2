import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';

/** What a refusal means and what to do about it, where it has other words than those of its status. */
export interface RefusalWords {
  readonly message?: string;
  readonly hint?: string;
}

/** The words of a refusal that the client's own options explain better than its status does. */
export const refusalWords = (
  { dialect, urls }: Pick<HttpConnection, 'dialect' | 'urls'>,
  { path, repeat }: Pick<Endpoint<unknown>, 'path' | 'repeat'>,
  status: number,
): RefusalWords => {
  if (status === 404 && urls.endsInApi) {
    return { hint: 'baseUrl ends in /api, and /api is added to it: leave it out of baseUrl.' };
  }
  if (status === 404 && (path === '/api/user' || repeat === 'submission')) {
    return {
      hint:
        dialect === 'local' && path === '/api/user'
          ? 'A local server has no accounts, and so no such route.'
          : "There is no such route at this address: check baseUrl, and for a local server set dialect: 'local'.",
    };
  }
  if (dialect !== 'local') return {};
  if (status === 401) {
    return {
      message: "The server asks for a key (401), and with dialect: 'local' none is sent.",
      hint: "For a cloud service leave dialect out, or set dialect: 'cloud' (the command: --dialect cloud).",
    };
  }
  // Files have a 403 of their own, for folders that may not be read.
  return status === 403 && path !== '/api/view'
    ? {
        message: 'The server refuses this page (403): Origin and Host of the request differ.',
        hint: 'Reach the server by a proxy that sends one Origin and Host (docs/guide/browser.md), or start it with --enable-cors-header.',
      }
    : {};
};
