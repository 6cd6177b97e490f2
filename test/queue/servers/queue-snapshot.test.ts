import { expect, it } from 'vitest';
import {
  readServers,
  readSnapshot,
  type ServerReply,
} from '../../../src/server/queue/servers/queue-snapshot.js';
import { readAskedWork } from '../../../src/server/queue/servers/asked-work.js';
import { report } from '../worker/servers/known.js';

const attic: ServerReply = ['attic', '', '', '', [], '', '0', '0', '0', '0', 0];

it('a look at a queue is read of what its script gives', () => {
  const asked = { ...readAskedWork(''), shape: 's', needs: 'n', tags: ['big'] };
  const first = [
    ['a', JSON.stringify(asked), '70', '{"attic":"no class X"}', '2'],
    ['b', '', '80', '', ''],
  ];
  expect(readSnapshot([99, 1, [], [attic], ['c'], 5, first])).toEqual({
    ...{ now: 99, isPaused: true, own: ['c'], waiting: 5 },
    servers: readServers([], [attic]),
    first: [
      { id: 'a', asked, since: 70, refusedBy: { attic: 'no class X' }, attempt: 3 },
      { id: 'b', asked: readAskedWork(''), since: 80, refusedBy: {}, attempt: 1 },
    ],
  });
  expect(readSnapshot([99, 0, [], [], [], 0, [[]]])).toMatchObject({
    ...{ isPaused: false, first: [{ id: '', since: 0, refusedBy: {}, attempt: 1 }] },
  });
});

it('a server of a queue has the reports of each worker that brings it, in their order', () => {
  const [one, two] = [report({ slots: 1 }), report({ slots: 2 })];
  const reports = [
    ['w', JSON.stringify({ attic: one, cellar: two })],
    ['v', JSON.stringify({ attic: two })],
    ['u', '{}'],
    [],
  ];
  const servers = readServers(reports, [attic, ['cellar', ...attic.slice(1)] as unknown as ServerReply]);
  expect([...(servers.get('attic')?.reports ?? [])]).toEqual([
    ['w', one],
    ['v', two],
  ]);
  expect([...(servers.get('cellar')?.reports ?? [])]).toEqual([['w', two]]);
});

it('a use of a slot that can’t be read is that of a job which began long ago', () => {
  const fields = ['a', '{"at":5,"ms":7}', 'b', '{"at":"5","ms":"7"}', 'c', '{"cut', 'd', '[1]', 'e'];
  const server = [...attic.slice(0, 4), fields, ...attic.slice(5)] as unknown as ServerReply;
  expect(readServers([], [server]).get('attic')?.uses).toEqual([
    { id: 'a', at: 5, ms: 7 },
    ...['b', 'c', 'd'].map((id) => ({ id, at: 0, ms: 0 })),
  ]);
});

it('the models of a server are texts, and none where they are anything else', () => {
  const modelsOf = (models: string) => {
    const server = [...attic.slice(0, 5), models, ...attic.slice(6)] as unknown as ServerReply;
    return readServers([], [server]).get('attic')?.models;
  };
  expect(modelsOf('["a.safetensors","b"]')).toEqual(['a.safetensors', 'b']);
  for (const wrong of ['', '{}', '"a"', '["a",7]', '[null]']) expect(modelsOf(wrong)).toEqual([]);
});

it('a server of a queue is active where nobody has said otherwise, and away where that is noted', () => {
  const read = (mode: string, away: string) =>
    readServers([], [['attic', '', mode, away, ...attic.slice(4)] as unknown as ServerReply]).get('attic');
  expect(read('', '')).not.toHaveProperty('awaySince');
  expect(read('', '')).toMatchObject({ mode: 'active' });
  expect(read('', '0')).toMatchObject({ awaySince: 0 });
  expect(read('{"mode":"draining"}', '')).toMatchObject({ mode: 'draining' });
  expect(read('{"mode":"draining"}', '')).not.toHaveProperty('modeReason');
  expect(read('{"reason":""}', '')).toMatchObject({ mode: 'active', modeReason: '' });
});
