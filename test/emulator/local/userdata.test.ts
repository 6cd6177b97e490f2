import { call } from '../support.js';
import { describe, expect, it } from 'vitest';
import { openLocal } from './support.js';

const secret = encodeURIComponent('../secrets');

describe('the files of the user of a local server', () => {
  it.each([
    secret,
    encodeURIComponent('a/../../secrets'),
    encodeURIComponent('/etc/passwd'),
    // Such a path is decoded once more.
    '%252e%252e%252fsecrets',
  ])('are none outside of the folder of the user: %s', async (path) => {
    const emulator = await openLocal();
    const asked = [
      ['GET', `/userdata?dir=${path}`],
      ['GET', `/userdata/${path}`],
      ['POST', `/userdata/${path}`],
      ['POST', `/userdata/a.json/move/${path}`],
      ['DELETE', `/userdata/${path}`],
    ] as const;
    await call(emulator, 'POST', '/userdata/a.json', {});
    for (const [method, url] of asked) expect((await call(emulator, method, url)).status).toBe(403);
  });

  it('are found by any path that leads to them', async () => {
    const emulator = await openLocal();
    await call(emulator, 'POST', `/userdata/${encodeURIComponent('a/b.json')}`, { b: 1 });
    for (const path of ['a/./b.json', 'c/../a/b.json', 'a//b.json', '%61/b.json'])
      expect((await call(emulator, 'GET', `/userdata/${encodeURIComponent(path)}`)).body).toEqual({ b: 1 });
    for (const dir of ['a', 'a/', './a', 'x/../a'])
      expect((await call(emulator, 'GET', `/userdata?dir=${dir}`)).body).toEqual(['b.json']);
    expect((await call(emulator, 'GET', '/userdata?dir=.&recurse=true')).body).toEqual(['a/b.json']);
  });

  it('leave their folder behind, which lists no hidden names', async () => {
    const emulator = await openLocal();
    await call(emulator, 'POST', `/userdata/${encodeURIComponent('a/.hidden/b.json')}`, {});
    await call(emulator, 'POST', `/userdata/${encodeURIComponent('a/.c.json')}`, {});
    expect((await call(emulator, 'GET', '/userdata?dir=a&recurse=true')).body).toEqual([]);
    expect((await call(emulator, 'GET', '/userdata?dir=a/.hidden')).body).toEqual(['b.json']);
    await call(emulator, 'DELETE', `/userdata/${encodeURIComponent('a/.hidden/b.json')}`);
    expect((await call(emulator, 'GET', '/userdata?dir=a/.hidden')).body).toEqual([]);
    expect((await call(emulator, 'GET', '/userdata?dir=b')).status).toBe(404);
    expect((await call(emulator, 'GET', '/userdata')).status).toBe(400);
  });
});
