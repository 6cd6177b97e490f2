import { clientOfAny, clientOfServer } from '../../../src/server/queue/jobs/files-of-servers.js';
import { EMPTY, of, Subject } from 'rxjs';
import { expect, it } from 'vitest';
import type { WorkerPoolServer } from '../../../src/server/queue/options.js';

const server = (name: string, health: WorkerPoolServer['health'] = 'up'): WorkerPoolServer => ({
  ...{ name, baseUrl: 'http://10.0.0.7:8188', tags: [], health, since: 0, mode: 'active', slots: 1 },
});
const client = ((name: string) => ({ name })) as never;

it('gives the client of the server that ran a job, by its name in the queue', async () => {
  const pool = { servers: of([server('attic'), server('cellar')]), client };
  expect(await clientOfServer(pool, 'cellar')).toEqual({ name: 'cellar' });
});

it.each([
  ['shed', 'The pool of this queue has no server shed.'],
  [undefined, 'The pool of this queue has no server of the job, which none has run.'],
])('says that the pool lacks a server: %s', async (name, message) => {
  const pool = { servers: of([server('attic')]), client };
  await expect(clientOfServer(pool, name)).rejects.toMatchObject({
    _tag: 'InvalidConfig',
    option: 'pool',
    message,
  });
  await expect(clientOfServer({ servers: EMPTY, client }, name)).rejects.toMatchObject({ option: 'pool' });
});

it('gives the client of the first server that is up, once one is', async () => {
  const servers = new Subject<readonly WorkerPoolServer[]>();
  const found = clientOfAny({ servers, client });
  servers.next([server('attic', 'down'), server('cellar', 'refusing')]);
  servers.next([server('attic', 'down'), server('cellar')]);
  expect(await found).toEqual({ name: 'cellar' });
});

it('rejects where the pool ends before a server is up', async () => {
  const pool = { servers: of([server('attic', 'down')]), client };
  await expect(clientOfAny(pool)).rejects.toMatchObject({
    ...{ _tag: 'Closed', message: 'The pool of this queue is closed.' },
  });
});
