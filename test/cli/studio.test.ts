import { describe, expect, it } from 'vitest';
import { type StudioFiles, withStudio } from '../../src/cli/serving/studio-files.js';
import { workspace } from './helpers/workspace.js';

const files: StudioFiles = new Map(
  ['', 'studio/studio-ABC.js'].map((path) => [
    path,
    { bytes: new TextEncoder().encode(`file ${path}`), headers: { 'content-type': 'text/plain' } },
  ]),
);
const gateway = { fetch: () => Promise.resolve(new Response('gateway', { status: 404 })) };
const answer = async (path: string, method = 'GET', mount?: string): Promise<string> => {
  const response = await withStudio(gateway, files, mount).fetch(
    new Request(`http://localhost${path}`, { method }),
  );
  return `${response.status} ${response.headers.get('location') ?? (await response.text())}`;
};

describe('withStudio', () => {
  it('serves the page and its files, and leaves everything else to the gateway', async () => {
    expect(await answer('/')).toBe('200 file ');
    expect(await answer('/', 'HEAD')).toBe('200 ');
    expect(await answer('/studio/studio-ABC.js')).toBe('200 file studio/studio-ABC.js');
    for (const path of ['/studio/studio-OLD.js', '/studio/../package.json', '/jobs'])
      expect(await answer(path)).toBe('404 gateway');
    expect(await answer('/', 'POST')).toBe('404 gateway');
  });

  it('serves them below the path of a proxy, whether it takes the path away or not', async () => {
    for (const path of ['/comfy/', '/']) expect(await answer(path, 'GET', '/comfy')).toBe('200 file ');
    expect(await answer('/comfy/studio/studio-ABC.js', 'GET', '/comfy')).toBe(
      '200 file studio/studio-ABC.js',
    );
    expect(await answer('/comfy', 'GET', '/comfy')).toBe('308 /comfy/');
  });
});

describe('promptwire studio', () => {
  it('is for this machine only', async () => {
    const { cli } = await workspace();
    const running = cli(['studio', '--host', '0.0.0.0']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('promptwire serve --studio');
  });

  it('runs on one service or on many servers, not on both', async () => {
    const { cli } = await workspace();
    const running = cli(['studio', '--server', 'http://127.0.0.1:1', '--base-url', 'http://127.0.0.1:2']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('--base-url names one service');
  });
});
