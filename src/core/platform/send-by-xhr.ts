/** Sends a request as `fetch` does, and tells how many bytes of the body have left; rejects with the signal's reason once it aborts. */
export const sendByXhr = (
  url: string,
  { method = 'GET', headers, body, signal, credentials }: RequestInit,
  onSent: (bytes: number) => void,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.withCredentials = credentials === 'include';
    for (const [name, value] of new Headers(headers)) xhr.setRequestHeader(name, value);
    xhr.responseType = 'text';
    xhr.upload.onprogress = ({ loaded }) => onSent(loaded);
    xhr.onload = () => {
      const retryAfter = xhr.getResponseHeader('retry-after');
      resolve(
        new Response(xhr.responseText, {
          status: xhr.status,
          headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
        }),
      );
    };
    xhr.onerror = () => reject(new TypeError('The request failed.'));
    xhr.onabort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', () => xhr.abort());
    xhr.send(body as XMLHttpRequestBodyInit | null);
  });
