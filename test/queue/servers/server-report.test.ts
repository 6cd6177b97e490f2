import { askedWorkOf, readAskedWork, workAsked } from '../../../src/server/queue/servers/asked-work.js';
import { describe, expect, it } from 'vitest';
import { hostname } from 'node:os';
import { known, report } from '../worker/servers/known.js';
import { largerThan } from '../../../src/server/queue/servers/larger-servers.js';
import { nameInQueue } from '../../../src/server/queue/servers/name-in-queue.js';
import { readReport, readReports } from '../../../src/server/queue/servers/server-report.js';
import { readServers, type ServerReply } from '../../../src/server/queue/servers/queue-snapshot.js';
import { verdictOf } from '../../../src/server/queue/servers/verdict.js';

describe('what a worker reports of its servers', () => {
  it('is read by server, and left out where it can’t be read', () => {
    const all = { attic: report({ tags: ['a'], can: { n: '' } }), cellar: 7 };
    expect([...readReports(JSON.stringify(all))]).toEqual([['attic', all.attic]]);
    for (const text of ['', '{', '7', 'null', '[1]']) expect([...readReports(text)]).toEqual([]);
  });

  it('is read as Lua writes it, which has one form for an empty list and an empty object', () => {
    const text = JSON.stringify({ ...report(), tags: {}, can: [], failing: {} });
    expect(readReport(text)).toEqual(report());
    expect(readReport(JSON.stringify(report({ tags: ['a'] })))).toEqual(report({ tags: ['a'] }));
    const { failing, ...earlier } = report();
    expect(readReport(JSON.stringify(earlier))).toEqual({ ...earlier, failing });
    for (const broken of ['', '{', '7']) expect(readReport(broken)).toBeUndefined();
  });
});

describe('what a queue knows of a server', () => {
  it('is read of the texts of its store', () => {
    const reply: ServerReply = [
      ...(['attic', JSON.stringify(report()), '{"mode":"paused","reason":"broken"}', '12'] as const),
      ['x', '{"at":5,"ms":70}', 'y', '{"at":6,"ms":80}'],
      ...(['["m"]', '1', '2', '3', '4', 5] as const),
    ];
    const plain: ServerReply = ['cellar', '', '', '', [], '{}', '0', '0', '0', '0', 0];
    const reports = [
      ['w', JSON.stringify({ attic: report({ slots: 2 }) })],
      ['w2', JSON.stringify({ cellar: report() })],
    ];
    const servers = readServers(reports, [reply, plain]);
    expect(servers.get('attic')).toEqual({
      ...{ name: 'attic', last: report(), mode: 'paused', modeReason: 'broken', awaySince: 12 },
      uses: [
        { id: 'x', at: 5, ms: 70 },
        { id: 'y', at: 6, ms: 80 },
      ],
      ...{ models: ['m'], done: 1, failed: 2, lost: 3, lateEnds: 4, open: 5 },
      reports: new Map([['w', report({ slots: 2 })]]),
    });
    expect(servers.get('cellar')).toEqual({
      ...known('cellar', [], { last: undefined }),
      reports: new Map([['w2', report()]]),
    });
  });
});

describe('what a job asks of a server', () => {
  const workflow = (steps: number, text = 'a cat', model = 'a.safetensors') => ({
    1: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: model } },
    2: { class_type: 'KSampler', inputs: { steps, text, model: ['1', 0] } },
  });

  it('is read of its workflow: short, equal for workflows that the same servers can run', () => {
    const asked = askedWorkOf(workflow(20), ['big']);
    expect(asked).toMatchObject({ models: ['a.safetensors'], tags: ['big'] });
    expect([asked.shape.length, asked.needs.length]).toEqual([20, 20]);
    const alike = askedWorkOf(workflow(20, 'a dog'));
    expect([alike.shape, alike.needs, alike.tags]).toEqual([asked.shape, asked.needs, []]);
    expect(askedWorkOf(workflow(20, 'a cat', 'b.safetensors')).needs).not.toBe(asked.needs);
    expect(askedWorkOf(workflow(40)).shape).not.toBe(asked.shape);
  });

  it('is restored of its JSON form, and of none nothing is known', () => {
    const asked = askedWorkOf(workflow(20), ['big']);
    expect(readAskedWork(JSON.stringify({ ...asked, more: 1 }))).toEqual(asked);
    const nothing = { shape: '', models: [], needs: '', guessMs: 1_000, guessLoadMs: 0, tags: [] };
    for (const text of ['', '{', '7']) expect(readAskedWork(text)).toEqual(nothing);
    expect(workAsked(asked)).toEqual({ ...asked, classes: [] });
  });
});

describe('whether a server can run a job', () => {
  const verdict = (
    reports: Parameters<typeof known>[1],
    more: object = {},
    asked: object = {},
    refusedBy = {},
  ) => verdictOf(known('attic', reports, more), { ...readAskedWork(''), needs: 'n', ...asked }, refusedBy);

  it.each([
    ['able', [report({ can: { n: '' } })]],
    ['able', [report({ can: { n: 'no' } }), report({ can: { n: '' } })]],
    ['unknown', [report()]],
    ['unknown', [report({ can: { n: 'no' }, isUp: false }), report()]],
    ['no: no class X', [report({ can: { n: 'no class X' } }), report()]],
    ['away', [report({ isUp: false, can: { n: '' } })]],
    ['away', []],
  ] as const)('is: %s', (expected, reports) => {
    expect(verdict(reports)).toBe(expected);
  });

  it('is no where it lacks a tag or has refused the job, also while it is away', () => {
    const tagged = report({ tags: ['a', 'b'], can: { n: '' } });
    expect(verdict([tagged], {}, { tags: ['a', 'b'] })).toBe('able');
    expect(verdict([tagged], {}, { tags: ['a', 'c', 'd'] })).toBe('no: it lacks the tag c, d');
    expect(verdict([], { last: tagged }, { tags: ['a'] })).toBe('away');
    expect(verdict([], { last: undefined }, { tags: ['a'] })).toBe('no: it lacks the tag a');
    expect(verdict([tagged], {}, {}, { attic: 'BadRequest: no' })).toBe('no: BadRequest: no');
    expect(verdict([tagged], {}, {}, { cellar: 'BadRequest: no' })).toBe('able');
  });

  it('is yes for a job that needs nothing', () => {
    expect(verdict([report()], {}, { needs: '' })).toBe('able');
    expect(verdict([report({ isUp: false })], {}, { needs: '' })).toBe('away');
  });
});

describe('servers with more memory', () => {
  const memory = (total: number) => ({ memory: { total, free: total } });
  const larger = (of: string, ...servers: readonly ReturnType<typeof known>[]) =>
    largerThan(of, { ...readAskedWork(''), needs: 'n' }, new Map(servers.map((one) => [one.name, one])));
  const small = known('small', [report({ ...memory(8), can: { n: '' } })]);

  it('are those that can run the job; the others are not to have it', () => {
    const big = known('big', [report({ ...memory(24), can: { n: '' } })]);
    const unasked = known('unasked', [report(memory(24))]);
    const unable = known('unable', [report({ ...memory(24), can: { n: 'no' } })]);
    const away = known('away', [report({ ...memory(24), isUp: false })]);
    const equal = known('equal', [report({ ...memory(8), can: { n: '' } })]);
    const silent = known('silent', [report({ can: { n: '' } })], { last: undefined });
    expect(larger('small', small, big, unasked, unable, away, equal, silent)).toEqual({
      larger: ['big', 'unasked'],
      others: ['small', 'equal', 'silent'],
    });
  });

  it('are known by what was reported last as well, and none of a server whose memory is not known', () => {
    const before = known('before', [report({ can: { n: '' } })], { last: report(memory(24)) });
    expect(larger('small', small, before).larger).toEqual(['before']);
    // What is reported now counts before.
    const grown = known('grown', [report(), report(memory(24))], { last: report(memory(4)) });
    expect(larger('small', small, grown).larger).toEqual(['grown']);
    const silent = known('silent', [report()], { last: undefined });
    expect(larger('silent', silent, before).larger).toEqual([]);
    expect(larger('gone', before).larger).toEqual([]);
  });
});

describe('the name of a server in a queue', () => {
  it.each([
    ['http://127.0.0.1:8188', '127.0.0.1:8188', `${hostname()}:8188`],
    ['http://127.0.0.10:8188', '127.0.0.10:8188', `${hostname()}:8188`],
    ['http://localhost', 'localhost', hostname()],
    ['http://[::1]:8188', '[::1]:8188', `${hostname()}:8188`],
    ['http://127.0.0.1:8188', '127.0.0.1:8188 (2)', `${hostname()}:8188 (2)`],
    ['http://127.0.0.1:8188', 'attic', 'attic'],
    ['http://10.0.0.7:8188', '10.0.0.7:8188', '10.0.0.7:8188'],
    ['http://localhost.example:80', 'localhost.example', 'localhost.example'],
    ['http://my-localhost:8188', 'my-localhost:8188', 'my-localhost:8188'],
  ])('of %s, called %s, is %s', (baseUrl, name, expected) => {
    expect(nameInQueue({ baseUrl, name })).toBe(expected);
  });
});
