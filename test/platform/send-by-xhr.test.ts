import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendByXhr } from '../../src/core/platform/send-by-xhr.js';

/** The part of the runtime's class that an upload uses; the test plays the network. */
class PlayedXhr {
  static readonly made: PlayedXhr[] = [];
  readonly log: unknown[] = [];
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  responseType = '';
  withCredentials = true;
  responseText = '';
  status = 0;
  headers: Readonly<Record<string, string>> = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  constructor() {
    PlayedXhr.made.push(this);
  }
  open = (method: string, url: string): unknown => this.log.push([method, url]);
  setRequestHeader = (name: string, value: string): unknown => this.log.push([name, value]);
  getResponseHeader = (name: string): string | null => this.headers[name] ?? null;
  send = (body: unknown): unknown => this.log.push(['send', body]);
  abort = (): void => {
    this.log.push(['abort']);
    this.onabort?.();
  };
}

const sending = (init: RequestInit = {}, onSent: (bytes: number) => void = () => undefined) => {
  PlayedXhr.made.length = 0;
  vi.stubGlobal('XMLHttpRequest', PlayedXhr);
  const answer = sendByXhr('https://gateway.example/uploads', init, onSent);
  return { answer, made: PlayedXhr.made, xhr: PlayedXhr.made[0] };
};

describe('sendByXhr', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('sends what fetch would, tells what has left, and answers with status, text and Retry-After', async () => {
    const sent: number[] = [];
    const headers = { authorization: 'Bearer t' };
    const { answer, xhr } = sending({ method: 'POST', headers, body: 'abc' }, (bytes) => sent.push(bytes));
    expect(xhr?.log).toEqual([
      ['POST', 'https://gateway.example/uploads'],
      ['authorization', 'Bearer t'],
      ['send', 'abc'],
    ]);
    xhr?.upload.onprogress?.({ loaded: 2 });
    Object.assign(xhr ?? {}, { status: 429, responseText: '{"a":1}', headers: { 'retry-after': '7' } });
    xhr?.onload?.();
    const response = await answer;
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toEqual({ a: 1 });
    expect(sent).toEqual([2]);
  });

  it('asks by GET where no method is given, and has no Retry-After where the answer has none', async () => {
    const { answer, xhr } = sending();
    expect(xhr?.log[0]).toEqual(['GET', 'https://gateway.example/uploads']);
    Object.assign(xhr ?? {}, { status: 200 });
    xhr?.onload?.();
    expect([...(await answer).headers.keys()]).not.toContain('retry-after');
  });

  it('reads a text, and takes cookies along only where it is asked to', () => {
    const kinds = (['include', 'same-origin', undefined] as const).map((credentials) => {
      const { xhr } = sending({ ...(credentials !== undefined && { credentials }) });
      return [xhr?.withCredentials, xhr?.responseType];
    });
    expect(kinds).toEqual([
      [true, 'text'],
      [false, 'text'],
      [false, 'text'],
    ]);
  });

  it('rejects as fetch does where the network fails', async () => {
    const { answer, xhr } = sending();
    xhr?.onerror?.();
    await expect(answer).rejects.toBeInstanceOf(TypeError);
  });

  it('I-8: sends nothing where the caller has left before', async () => {
    const { answer, made } = sending({ method: 'POST', body: 'abc', signal: AbortSignal.abort('left') });
    await expect(answer).rejects.toBe('left');
    expect(made).toEqual([]);
  });

  it('I-8: ends the request, and its promise, where the caller leaves meanwhile', async () => {
    const leaving = new AbortController();
    const { answer, xhr } = sending({ signal: leaving.signal });
    leaving.abort('left');
    expect(xhr?.log.at(-1)).toEqual(['abort']);
    await expect(answer).rejects.toBe('left');
  });
});
