import { filter, firstValueFrom } from 'rxjs';
import * as E from 'fp-ts/lib/Either.js';
import { httpConnection } from '../helpers/http-connection.js';
import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/core/http/rest.js';
import { errorFromResponse } from '../../src/core/errors/from-response.js';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { frameSource } from '../../src/core/socket/frame-source.js';
import { redactor } from '../../src/core/redaction/redact.js';
import { valueRedactor } from '../../src/core/redaction/redact-value.js';
import { view } from '../../src/core/http/view.js';

/** A key without the form of a service's keys, which are known by their beginning. */
const key = 'hushhush-0123456789abcdef';
const start = key.slice(0, 12);

/** A text that has the key across the character at which someone cuts. */
const across = (at: number): string => `${'-'.repeat(at - 16)}${key}${'-'.repeat(at)}`;

/** A connection whose service answers by the end of the path. */
const connectionTo = (answers: Readonly<Record<string, FakeAnswer>>) =>
  httpConnection(
    fakePlatform(({ url }) => {
      const { pathname } = new URL(url);
      return Object.entries(answers).find(([end]) => pathname.endsWith(end))?.[1] ?? { status: 404 };
    }),
    { redact: redactor([key]), redactValue: valueRedactor([key]) },
  );

const failureOf = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  errorFromResponse({ endpoint: 'GET /x', status, headers, body }, { redact: redactor([key]) });

describe('H3: a key that stands where a text is cut is redacted before', () => {
  it('in the title of a page', async () => {
    const page = `<html><title>${across(200)}</title></html>`;
    expect(failureOf(502, page).message).not.toContain(start);
    const rest = createRest(connectionTo({ '': { body: page } }));
    const answer = await rest.queue()();
    expect(E.isLeft(answer) && answer.left.message).toMatch(/an HTML page, "-+/u);
    expect(JSON.stringify(answer)).not.toContain(start);
  });

  it('in the address of a redirect', () => {
    const location = `/login/${across(193)}`;
    expect(failureOf(302, '', { location }).message).not.toContain(start);
  });

  it('in the address that a handshake is redirected to', async () => {
    const platform = fakePlatform();
    const source = frameSource(platform, { url: () => 'ws://x', lingerMs: 0, redact: redactor([key]) });
    const failed = firstValueFrom(source.states.pipe(filter(({ _tag }) => _tag === 'failed')));
    source.frames.subscribe({ error: () => undefined });
    platform.sockets[0]?.end({ status: 302, location: `/login/${across(193)}/%2Fws%3Ftoken%3D${key}` });
    expect(JSON.stringify(await failed)).toContain('/login/');
    expect(JSON.stringify(await failed)).not.toContain(start);
  });

  it('in the words of a storage', async () => {
    const words = `${Array.from(key, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
      .join('')
      .repeat(3)} ${across(270)}`;
    const connection = connectionTo({
      '/api/view': { status: 302, headers: { location: 'https://storage.example/x' } },
      '/x': { status: 403, body: words },
    });
    const result = await view(connection, { filename: 'a.png' })();
    expect(E.isLeft(result) && result.left.message).toContain('403');
    expect(E.isLeft(result) && result.left.message).not.toContain(start);
  });

  it('in the reason of a failed job', async () => {
    const body = { id: 'a', status: 'failed', error_message: across(64 * 1024) };
    const status = await createRest(connectionTo({ '/status': { body } })).jobStatus('a')();
    expect(E.isRight(status) && status.right.failure?.exceptionMessage.length).toBeGreaterThan(60_000);
    expect(JSON.stringify(status)).not.toContain(start);
  });
});
