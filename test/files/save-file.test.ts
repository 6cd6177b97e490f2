import { content, output } from '../helpers/output-content.js';
import { contentProblem, saveFile, type SaveFileOptions } from '../../src/core/files/save-file.js';
import { describe, expect, it } from 'vitest';
import type { FileBytes } from '../../src/core/http/rest.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { Files } from '../../src/core/platform/platform.js';
import { right } from 'fp-ts/lib/Either.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (unit) => unit.charCodeAt(0));

describe('contentProblem', () => {
  it.each([
    ['a.png', '\x89PNG\r\n\x1a\n'],
    ['a.png', '\xff\xd8\xff\xe0'],
    ['a.webp', 'RIFF\0\0\0\0WEBP'],
    ['a.mp4', '\0\0\0\x20ftypisom'],
    ['a.mov', '\0\0\0\x08wide'],
    ['a.aac', '\xff\xf1P\x80'],
    ['a.svg', '<svg/>'],
    ['a.txt', 'text'],
    ['a.json', '{}'],
    ['a.obj', 'v 0 0 0'],
    ['a.latent', '<'],
    ['a', '<html>'],
    ['a.txt', ''],
  ])('G10 takes %s that begins with %j', (name, head) => {
    expect(contentProblem(name, bytes(head))).toBeUndefined();
  });

  it.each([
    ['a.png', '<Error>', 'it holds markup (XML) instead of image/png'],
    ['a.PNG', '\xef\xbb\xbf  <?xml', 'it holds markup (XML) instead of image/png'],
    ['a.mp4', '<html>', 'it holds an HTML page instead of video/mp4'],
    ['a.flac', '\r\n{"error":1}', 'it holds JSON instead of audio/flac'],
    ['a.glb', 'not found', 'it holds text instead of model/gltf-binary'],
    ['a.mp4', '<!DOCTYPE  html>', 'it holds an HTML page instead of video/mp4'],
    ['a.mp4', '<Error><html>', 'it holds markup (XML) instead of video/mp4'],
    ['a.mp4', 'no [1]', 'it holds text instead of video/mp4'],
    ['a.mp4', '[1]', 'it holds JSON instead of video/mp4'],
    ['a.jpg', '\0\0\0\0', 'it does not begin like image/jpeg'],
    ['a.png', '\0\0\0\0', 'it does not begin like image/png'],
    ['a.apng', '\0\0\0\0', 'it does not begin like image/apng'],
    ['a.gif', '\0\0\0\0', 'it does not begin like image/gif'],
    ['a.webp', '\0\0\0\0', 'it does not begin like image/webp'],
    ['a.mp4', `${'x'.repeat(64)}\0`, 'it holds text instead of video/mp4'],
    ['a.gif', '', 'it is empty'],
  ])('G10 refuses %s that begins with %j', (name, head, problem) => {
    expect(contentProblem(name, bytes(head))).toBe(problem);
  });

  it('G10 is not misled by a character that is cut at the end', () => {
    const head = new TextEncoder().encode(`${'x'.repeat(63)}ü`);
    expect(contentProblem('a.png', head.subarray(0, 64))).toBe('it holds text instead of image/png');
  });
});

/** A disk in memory; a full one refuses each write. */
const disk = (isFull = false): Files => ({
  folder: (path) => Promise.resolve(path),
  create: (_, name) =>
    Promise.resolve({
      write: () =>
        isFull ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : Promise.resolve(),
      commit: () => Promise.resolve(name),
      discard: () => Promise.resolve(),
    }),
  freeBytes: () => Promise.resolve(Infinity),
  open: () => Promise.reject(new Error('nothing is read here')),
});

describe('saveFile', () => {
  it.each<[string, string, FileBytes, Partial<SaveFileOptions>, string]>([
    ['is saved', 'a.txt', content(['whole'], 5), {}, 'saved'],
    ['is announced too large', 'a.txt', content(['whole'], 5), { maxBytes: 4 }, 'failed'],
    ['grows too large', 'a.txt', content(['who', 'le']), { maxBytes: 4 }, 'failed'],
    ['is a page instead', 'a.png', content(['<html>']), {}, 'failed'],
    ['fits on no disk', 'a.txt', content(['whole'], 5), { files: disk(true) }, 'failed'],
  ])('lets go of each answer, where the file %s', async (_, name, bytes, more, end) => {
    let [asked, discarded] = [0, 0];
    const platform = fakePlatform();
    const saving = saveFile(output(name), {
      ...{ platform, files: disk(), folder: 'folder', name, signal: new AbortController().signal },
      redact: (text) => text,
      view: () => () => {
        asked += 1;
        return Promise.resolve(right({ ...bytes, discard: () => void (discarded += 1) }));
      },
      ...more,
    });
    const tags: string[] = [];
    const saved = (async () => {
      for await (const { _tag } of saving) tags.push(_tag);
    })();
    await platform.clock.advance(120_000);
    await saved;
    expect(tags.at(-1)).toBe(end);
    expect([asked > 0, discarded]).toEqual([true, asked]);
  });
});
