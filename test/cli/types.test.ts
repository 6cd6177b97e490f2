import { describe, expect, it } from 'vitest';
import { httpServer } from '../helpers/http-server.js';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { workspace } from './helpers/workspace.js';

const definitions = { Only: { input: { required: { x: ['INT'] } }, output: ['IMAGE'] }, Bad: 5 };

describe('promptwire types', () => {
  it('writes the declarations of the service with one request, and replaces those of an earlier run', async () => {
    const { cli, dir, asked } = await workspace();
    const out = join(dir, 'nodes.d.ts');
    await writeFile(out, 'before');
    const writing = cli(['types', '--output', out]);
    expect(await writing.exit).toBe(0);
    expect(writing.stdout()).toBe(`${out}\n`);
    const text = await readFile(out, 'utf8');
    expect(text).toContain('SaveImage(inputs: SaveImageInputs, options?: NodeOptions)');
    expect(asked()).toEqual(['GET /api/object_info']);
    expect(await readdir(dir)).toEqual(['nodes.d.ts']);
  });

  it('takes classes from a file or standard input, and says what it left out', async () => {
    const { cli, dir, file, asked } = await workspace();
    const out = join(dir, 'nodes.d.ts');
    const fromFile = cli([
      'types',
      '--output',
      out,
      '--json',
      '--definitions',
      await file('info.json', definitions),
    ]);
    expect(await fromFile.exit).toBe(0);
    expect(jsonLines(fromFile.stdout())).toMatchObject([
      { kind: 'warning', message: "one node class was left out, as it can't be read: Bad" },
      { kind: 'declared', path: out, classes: 1 },
      { kind: 'end' },
    ]);
    const fromInput = cli(['types', '--output', out, '--definitions', '-'], { stdin: '{"Other": {}}' });
    expect(await fromInput.exit).toBe(0);
    expect(await readFile(out, 'utf8')).toContain(
      'Other(inputs?: OtherInputs, options?: NodeOptions): BuiltNode;',
    );
    expect(asked()).toEqual([]);
  });

  it('sends the key and own headers to the address of --base-url, also where the answer comes in pieces', async () => {
    await using server = await httpServer((_, response) => {
      const text = JSON.stringify(definitions);
      response.write(text.slice(0, 20));
      response.end(text.slice(20));
    });
    const { cli, dir, file } = await workspace();
    const argv = [
      'types',
      '--key-file',
      await file('key', 'the-key'),
      '--output',
      join(dir, 'nodes.d.ts'),
      '--base-url',
      `${server.origin}/sub/`,
      '--header',
      'X-Team: a',
    ];
    expect(await cli(argv).exit).toBe(0);
    expect(await cli([...argv, '--auth', 'bearer', '--workspace', 'ws-1']).exit).toBe(0);
    expect(
      server.seen.map(({ url, headers }) => [
        ...[url, headers['x-team'], headers['x-api-key']],
        ...[headers['authorization'], headers['x-comfy-workspace-id']],
      ]),
    ).toEqual([
      ['/sub/api/object_info', 'a', 'the-key', undefined, undefined],
      ['/sub/api/object_info', 'a', undefined, 'Bearer the-key', 'ws-1'],
    ]);
  });

  it.each([
    ['refuses', 401, '{"message": "no"}', 3],
    ['sends what is no list of classes', 200, '<html>', 2],
    ['breaks off', 200, undefined, 12],
  ])('leaves the file as it was where the service %s', async (_, status, body, exit) => {
    await using server = await httpServer((_seen, response, request) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      if (body !== undefined) response.end(body);
      else response.write('{"A": {', () => request.socket.resetAndDestroy());
    });
    const { cli, dir } = await workspace();
    const out = join(dir, 'nodes.d.ts');
    await writeFile(out, 'before');
    const writing = cli(['types', '--output', out], { env: { PROMPTWIRE_BASE_URL: server.origin } });
    expect(await writing.exit).toBe(exit);
    expect(await readFile(out, 'utf8')).toBe('before');
    expect(await readdir(dir)).toEqual(['nodes.d.ts']);
  });

  it('refuses a file that it can not read or write, and sends no key in clear text over a network', async () => {
    const { cli, dir, file } = await workspace();
    const info = await file('info.json', definitions);
    const folder = join(dir, 'folder.d.ts');
    await mkdir(folder);
    expect(await cli(['types', '--output', join(dir, 'none', 'x.d.ts'), '--definitions', info]).exit).toBe(2);
    expect(await cli(['types', '--output', folder, '--definitions', info]).exit).toBe(2);
    expect(
      await cli(['types', '--output', join(dir, 'x.d.ts'), '--definitions', join(dir, 'none')]).exit,
    ).toBe(2);
    const clear = cli(['types', '--output', join(dir, 'x.d.ts')], {
      env: { PROMPTWIRE_BASE_URL: 'http://192.0.2.1' },
    });
    expect(await clear.exit).toBe(2);
    expect((await readdir(dir)).sort()).toEqual(['folder.d.ts', 'info.json']);
  });
});
