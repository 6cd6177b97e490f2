import { type FormPart, type HttpResponse, type Platform, TransportError } from '../platform.js';

/**
 * Sends requests by `fetch`, without cookies and without following redirects.
 *
 * A page is not shown where a redirect leads: such an answer has status 0 here. A failed `fetch` does not say whether
 * anything left, so it counts as sent.
 */
export const browserRequest: Platform['request'] = async (request) => {
  const { method, url, headers, json, form, signal, onSent } = request;
  signal?.throwIfAborted();
  onSent?.();
  try {
    const response = await fetch(url, {
      method,
      headers: withoutForbidden(headers),
      body: json ?? (form === undefined ? null : formData(form)),
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: signal ?? null,
    });
    return answerOf(response);
  } catch {
    if (signal?.aborted === true) throw signal.reason as Error;
    throw failure(`the request failed${isOfAnotherOrigin(url) ? crossOrigin : ''}`);
  }
};

/** To a page, a network that failed looks like a server that does not allow the page. */
const crossOrigin =
  ", or the server does not allow pages of this origin (CORS): start a local server with --enable-cors-header, or reach it by a proxy of the page's own origin";

const isOfAnotherOrigin = (url: string): boolean =>
  typeof location === 'object' && new URL(url).origin !== location.origin;

/** Browsers set it themselves and refuse a value of the page. */
const withoutForbidden = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'accept-encoding'));

const formData = (parts: readonly FormPart[]): FormData => {
  const form = new FormData();
  for (const part of parts) {
    if ('value' in part) form.append(part.name, part.value);
    else form.append(part.name, part.content, part.filename);
  }
  return form;
};

/** `fetch` has undone the encoding, so neither it nor the length on the wire says anything of the body that is read. */
const answerOf = (response: Response): HttpResponse => {
  const headers = Object.fromEntries(response.headers);
  if ('content-encoding' in headers) {
    delete headers['content-encoding'];
    delete headers['content-length'];
  }
  const reader = response.body?.getReader();
  return {
    status: response.status,
    headers,
    body: chunks(reader),
    discard: () => void reader?.cancel().catch(() => undefined),
  };
};

async function* chunks(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  while (reader !== undefined) {
    const chunk = await reader.read().catch((): never => {
      throw failure('the connection failed');
    });
    if (chunk.done) return;
    yield chunk.value;
  }
}

const failure = (message: string): TransportError => new TransportError('EFETCH', message, true);
