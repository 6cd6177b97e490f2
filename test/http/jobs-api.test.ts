import { describe, expect, it } from 'vitest';
import { isRouteAbsent, jobsApi } from '../../src/core/http/jobs-api.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

describe('what is known of the routes of a jobs API', () => {
  it('is nothing at first, and then what the last answer of each route has shown', () => {
    const routes = jobsApi(virtualClock());
    const known = () => [routes.isThere('job'), routes.isAbsent('job')];
    expect(known()).toEqual([false, false]);
    routes.note('job', 'there');
    expect(known()).toEqual([true, false]);
    routes.note('job', 'absent');
    expect(known()).toEqual([false, true]);
    expect([routes.isThere('list'), routes.isAbsent('list')]).toEqual([false, false]);
  });

  it('is open again ten minutes after a route was absent, as the server may be a newer one', async () => {
    const clock = virtualClock();
    const routes = jobsApi(clock);
    routes.note('cancel', 'absent');
    await clock.advance(599_999);
    expect(routes.isAbsent('cancel')).toBe(true);
    await clock.advance(1);
    expect(routes.isAbsent('cancel')).toBe(false);
  });

  it('is asked for by one caller of many, for whose answer the others wait', async () => {
    const routes = jobsApi(virtualClock());
    expect(await routes.first('job')).toBe(true);
    const told: string[] = [];
    const waiting = ['a', 'b'].map(async (name) => told.push(`${name} ${await routes.first('job')}`));
    // Each route is a question of its own.
    expect(await routes.first('list')).toBe(true);
    expect(told).toEqual([]);
    routes.note('job', 'there');
    routes.asked('job');
    await Promise.all(waiting);
    expect(told.toSorted()).toEqual(['a false', 'b false']);
    expect(await routes.first('job')).toBe(false);
  });

  it('is asked for by the next one where the first answer has shown nothing', async () => {
    const routes = jobsApi(virtualClock());
    await routes.first('job');
    const next = routes.first('job');
    const last = routes.first('job');
    routes.asked('job');
    expect(await next).toBe(true);
    routes.note('job', 'absent');
    routes.asked('job');
    expect(await last).toBe(false);
  });
});

describe('an error says that a server lacks a route', () => {
  const absent = (kind: 'probed' | 'met', status: number | undefined, sample?: string) =>
    isRouteAbsent({ status, sample } as ServiceError, kind);

  it.each([
    [405, undefined, true, true],
    [501, undefined, true, true],
    [500, undefined, false, false],
    [undefined, undefined, false, false],
    [404, undefined, true, true],
    [404, '<html></html>', true, true],
    [404, '404: Not Found', true, true],
    // An engine names what it lacks as `error`; a cloud service says it by any object.
    [404, ' { "error" : "Job not found" }', false, false],
    [404, '{"detail":"Not Found"}', true, false],
    [404, '{"error":{"message":"x"}}', true, false],
    [404, 'x {"error":"Job not found"}', true, true],
    [400, '<html></html>', false, false],
  ])('by %j and %j: of an engine %j, of a cloud service %j', (status, sample, ofEngine, ofCloud) => {
    expect([absent('probed', status, sample), absent('met', status, sample)]).toEqual([ofEngine, ofCloud]);
  });
});
