import { describe, expect, it } from 'vitest';
import { known, report } from '../worker/servers/known.js';
import { shownServer } from '../../../src/server/queue/servers/shown-servers.js';

describe('what a program sees of a server', () => {
  it('is what the worker says that reaches it best', () => {
    const down = report({ health: 'down', isUp: false, takes: false, reason: 'refused', slots: 2, speed: 3 });
    const full = report({ health: 'refusing', takes: false, reason: 'full', slots: 4 });
    const memory = { total: 8, free: 4 };
    const up = report({ slots: 3, baseUrl: 'http://up', tags: ['big'], since: 7, speed: 2, memory });
    expect(shownServer(known('s', [down, full, up]))).toEqual({
      ...{
        name: 's',
        baseUrl: 'http://up',
        tags: ['big'],
        mode: 'active',
        models: [],
        speed: 2,
        health: 'up',
      },
      ...{ done: 0, failed: 0, lost: 0, lateEnds: 0, since: 7, slots: 2, ahead: 0, running: 0, waiting: 0 },
      ...{ workers: ['w', 'w2', 'w3'], memory },
    });
    expect(shownServer(known('s', [down, full]))).toMatchObject({ health: 'refusing', reason: 'full' });
    expect(shownServer(known('s', [down]))).toMatchObject({ health: 'down', reason: 'refused' });
  });

  it('is what was reported last, and that it is down, without a worker that lives', () => {
    const uses = [{ id: 'x', at: 0, ms: 0 }];
    expect(shownServer(known('s', [], { awaySince: 7, uses, last: report({ slots: 3 }) }))).toMatchObject({
      ...{
        health: 'down',
        since: 7,
        reason: 'No worker that brings it lives.',
        slots: 3,
        workers: [],
        running: 1,
      },
    });
    expect(shownServer(known('s', [], { last: undefined }))).toMatchObject({
      ...{ baseUrl: '', tags: [], since: 0, speed: 1, slots: 1, health: 'down' },
    });
  });

  it('has what it can run, as that worker was told, each reason once', () => {
    const one = report({ can: { a: '', b: '', c: 'It has no class X.', d: 'It has no class X.' } });
    const { capabilities } = shownServer(known('s', [report({ takes: false }), one]));
    expect(capabilities).toEqual({ able: 2, lacks: ['It has no class X.'] });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`, `It lacks ${at}.`]));
    expect(shownServer(known('s', [report({ can: many })])).capabilities?.lacks).toHaveLength(20);
  });

  it('is why it is paused, before all else', () => {
    const paused = { mode: 'paused', modeReason: 'broken' } as const;
    expect(shownServer(known('s', [report({ reason: 'full' })], paused))).toMatchObject({
      mode: 'paused',
      reason: 'broken',
    });
    expect(shownServer(known('s', [report()]))).not.toHaveProperty('reason');
    expect(shownServer(known('s', [report()]))).not.toHaveProperty('memory');
  });
});
