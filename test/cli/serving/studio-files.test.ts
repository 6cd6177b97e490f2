import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStudio, withStudio } from '../../../src/cli/serving/studio-files.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-studio-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const built = async (facts?: Parameters<Awaited<ReturnType<typeof readStudio>>>[0]) => {
  for (const name of ['index.html', 'studio-A.js', 'studio-B.css', 'studio-C.woff2'])
    await writeFile(join(folder, name), name === 'index.html' ? '<head></head><body>$&</body>' : name);
  const files = (await readStudio(pathToFileURL(`${folder}/`)))(facts);
  const text = (path: string): string => new TextDecoder().decode(files.get(path)?.bytes);
  const headers = (path: string) => files.get(path)?.headers;
  return { files, text, headers };
};

describe('readStudio', () => {
  it('gives the page at the empty path, and the other files below studio', async () => {
    const { files, text } = await built();
    expect([...files.keys()].toSorted()).toEqual([
      ...['', 'studio/studio-A.js', 'studio/studio-B.css', 'studio/studio-C.woff2'],
    ]);
    expect(text('')).toBe('<head></head><body>$&</body>');
    expect(text('studio/studio-A.js')).toBe('studio-A.js');
  });

  it('tells the page what it may know of its gateway, which breaks out of nothing', async () => {
    expect((await built({ service: '"><b>&$&' })).text('')).toBe(
      '<head><meta name="promptwire-service" content="&quot;>&lt;b>&amp;$&amp;" /></head><body>$&</body>',
    );
    expect((await built({ hasServers: true })).text('')).toContain(
      '<head><meta name="promptwire-servers" content="yes" /></head>',
    );
    expect((await built({ hasServers: false })).text('')).toContain('<head></head>');
  });

  it('lets browsers keep files for ever, and ask for the page again', async () => {
    const { headers } = await built();
    expect(headers('')).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    const kept = 'public, max-age=31536000, immutable';
    expect(
      ['studio/studio-A.js', 'studio/studio-B.css', 'studio/studio-C.woff2'].map((path) => [
        headers(path)?.['content-type'],
        headers(path)?.['cache-control'],
      ]),
    ).toEqual([
      ['text/javascript; charset=utf-8', kept],
      ['text/css; charset=utf-8', kept],
      ['application/octet-stream', kept],
    ]);
  });

  it('lets the page run its own scripts and ask its own gateway alone, and stand in no frame', async () => {
    const { headers } = await built();
    for (const path of ['', 'studio/studio-A.js']) {
      const given: Readonly<Record<string, string>> = headers(path) ?? {};
      const { 'content-security-policy': policy = '', ...others } = given;
      expect(others).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(policy.split('; ').toSorted()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        "style-src 'self'",
        "trusted-types 'none'",
      ]);
    }
  });

  it('is served with the headers of each file', async () => {
    const { files } = await built();
    const gateway = { fetch: () => Promise.reject(new Error('the gateway is not asked')) };
    const { headers } = await withStudio(gateway, files).fetch(new Request('http://a/studio/studio-A.js'));
    expect(Object.fromEntries(headers)).toEqual(files.get('studio/studio-A.js')?.headers);
  });

  it('says how the studio is built where it is not', async () => {
    const none = pathToFileURL(join(folder, 'none/'));
    await expect(readStudio(none)).rejects.toMatchObject({
      name: 'UsageError',
      message: `the studio is not built: ${none.pathname} is missing; \`npm run build\` makes it`,
    });
  });
});
