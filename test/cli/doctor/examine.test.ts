import { expect, it } from 'vitest';
import { examine } from '../../../src/cli/doctor/examine.js';
import type { Finding } from '../../../src/cli/doctor/finding.js';

const examined = async (more: object = {}) => {
  const told: Finding[] = [];
  const settings = { baseUrl: 'http://127.0.0.1:1', dialect: 'local' };
  const patient = {
    ...{ settings, url: new URL(settings.baseUrl), patienceMs: 5_000, io: { env: {} } },
    ...{ stop: new AbortController().signal, connect: () => Promise.resolve({}) },
    ...{ out: '.', origin: undefined, redis: undefined },
    ...more,
  };
  const exit = await examine(patient as never, (finding) => void told.push(finding));
  return { exit, told, of: (name: string) => told.find(({ check }) => check === name) };
};

it('a check is left out where what it needs is broken or was left out, and the first cause makes the end', async () => {
  const { exit, told, of } = await examined();
  expect(exit).toBe('network');
  expect(told.map(({ check }) => check)).toEqual([
    ...['node', 'address', 'proxy', 'dns', 'connection', 'tls', 'clock'],
    ...['dialect', 'key', 'plan', 'socket', 'storage', 'cross-origin', 'disk', 'redis'],
  ]);
  expect(of('connection')?.status).toBe('failed');
  expect(of('clock')).toEqual({
    ...{ check: 'clock', status: 'skipped', message: 'not before connection is well' },
  });
  expect(of('key')?.message).toBe('not before dialect is well');
  expect(of('plan')?.message).toBe('not before key is well');
  expect(of('disk')?.status).not.toBe('skipped');
});

it('an address of another kind is the first cause', async () => {
  const { exit, of } = await examined({ url: new URL('ftp://service.example') });
  expect([exit, of('address')?.status, of('proxy')?.message]).toEqual([
    ...['usage', 'failed', 'not before address is well'],
  ]);
});

it('a check that throws has failed, with the reason', async () => {
  const { of } = await examined({ out: { toString: null } });
  expect(of('disk')).toMatchObject({ status: 'failed', message: expect.stringMatching(/./u) as string });
});

it('nothing is looked at once the command is stopped', async () => {
  expect((await examined({ stop: AbortSignal.abort() })).told).toEqual([]);
});
