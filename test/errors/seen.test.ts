import { askedScheme, documentIn, redirectTarget } from '../../src/core/errors/seen.js';
import { describe, expect, it } from 'vitest';
import { errorFromResponse } from '../../src/core/errors/from-response.js';

describe('what was seen of an answer', () => {
  it.each([
    ['<!DOCTYPE html><title>\n Sign in </title>', 'an HTML page, "Sign in"'],
    ['  <html><head><title lang="en">a</title>', 'an HTML page, "a"'],
    ['<!-- x --><html><title></title>', 'an HTML page'],
    ['<center><h1>502 Bad Gateway</h1></center>', 'an HTML page'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'an XML document'],
    ['{"error":"no"}', undefined],
    ['a < b', undefined],
    ['', undefined],
  ])('N3 tells a document from the words of a service: %j', (body, seen) => {
    expect(documentIn(body)).toBe(seen);
  });

  it.each([
    ['https://login.example/sign-in?next=/&token=secret', 'https://login.example/sign-in'],
    ['https://user:secret@login.example/#secret', 'https://login.example/'],
    ['//u@login.example/x', '//login.example/x'],
    ['/login?token=secret', '/login'],
    [' ', undefined],
    [undefined, undefined],
  ])('N3 shows of %j no more than %j', (location, target) => {
    expect(redirectTarget(location)).toBe(target);
  });

  it.each([
    ['Basic realm="secret"', 'Basic'],
    ['Bearer', 'Bearer'],
    ['="x"', undefined],
    [undefined, undefined],
  ])('N3 names of %j the scheme', (challenge, scheme) => {
    expect(askedScheme(challenge)).toBe(scheme);
  });

  const errorOf = (status: number, headers: Readonly<Record<string, string>>, body = '') =>
    errorFromResponse({ endpoint: 'GET /api/queue', status, headers, body });

  it('N3 says what a refusal shows of itself, and hints what to try', () => {
    const basic = errorOf(401, { 'www-authenticate': 'Basic realm="x"' }, '<html><title>401</title>');
    expect(basic.message).toBe(
      'The request was refused for its credentials, or for want of them (401, an HTML page, "401", it asks for Basic).',
    );
    expect(basic.hint).toContain('headers');
    expect(errorOf(401, {}).message).not.toContain('API key');
    expect(errorOf(403, {}, 'Blocked by the WAF').message).toBe(
      'The request was refused (403): Blocked by the WAF',
    );
  });

  it('N3 says where a redirect leads to, redacted', () => {
    const error = errorFromResponse(
      {
        endpoint: 'GET /api/queue',
        status: 302,
        headers: { location: 'https://sso.example/k-1?k=k-1' },
        body: '',
      },
      { redact: (text) => text.replaceAll('k-1', '…') },
    );
    expect(error).toMatchObject({ _tag: 'UnexpectedStatus', status: 302 });
    expect(error.message).toBe('The service redirects to https://sso.example/… in place of an answer (302).');
    expect(error.hint).toContain('baseUrl');
  });
});
