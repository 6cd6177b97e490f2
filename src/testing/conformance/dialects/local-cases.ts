import assert from 'node:assert/strict';
import { expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { filledText, object } from '../shape.js';
import { localJobCases } from './local-job-cases.js';
import { localNotChecked } from './local-not-checked.js';
import { localReadCases } from './local-read-cases.js';
import { localWriteCases } from './local-write-cases.js';
import { openSocket } from '../live-socket.js';

/** Chapter 11, and the statements of 2.14 on engines: what reads comes first, then what is refused, then small jobs. */
export const localCases: readonly ConformanceCase[] = [
  {
    id: 'L.1',
    title: 'a key is ignored',
    run: async (target) => {
      for (const key of [null, 'no-key-at-all'])
        await expectStatus(200, target, 'GET', '/api/queue', { key });
    },
  },
  {
    id: 'L.2',
    title: 'routes exist with and without /api',
    run: async (target) => {
      for (const path of ['/queue', '/api/queue', '/system_stats', '/api/system_stats'])
        await expectStatus(200, target, 'GET', path);
    },
  },
  {
    id: 'L.3',
    title: 'a foreign origin is refused on a loopback address',
    run: async (target) => {
      if (!/^http:\/\/(?:127\.|localhost|\[::1\])/u.test(target.baseUrl)) return;
      await expectStatus(403, target, 'GET', '/api/queue', {
        headers: { Origin: 'http://elsewhere.example' },
      });
    },
  },
  {
    id: 'L.4',
    title: 'the routes of a cloud service do not exist',
    run: async (target) => {
      for (const path of ['/api/user', '/api/job/x/status', '/api/history_v2/x'])
        await expectStatus(404, target, 'GET', path);
    },
  },
  {
    id: 'L.13',
    title: 'the record of an unknown id is an empty object',
    run: async (target) => {
      const record = (await expectStatus(200, target, 'GET', '/api/history/no-such-job')).json();
      assert.deepEqual(record, {});
    },
  },
  {
    id: 'L.23',
    title: 'the first message is status with the id of the socket',
    run: async (target) => {
      await using socket = await openSocket(target, { token: null });
      const first = await socket.find('a first message', () => true);
      assert.ok(first.kind === 'text' && first.type === 'status', 'it is status');
      filledText(first.data['sid'], 'sid');
    },
  },
  {
    id: 'L.24',
    title: 'status is nested',
    run: async (target) => {
      await using socket = await openSocket(target, { token: null });
      const first = await socket.find(
        'status',
        (message) => message.kind === 'text' && message.type === 'status',
      );
      assert.ok(first.kind === 'text');
      object(object(first.data['status'], 'status')['exec_info'], 'exec_info');
    },
  },
  {
    id: 'L.31',
    title: 'a server of one user tells its storage',
    run: async (target) => {
      const users = object((await expectStatus(200, target, 'GET', '/api/users')).json(), 'users');
      assert.equal(users['storage'], 'server');
      object((await expectStatus(200, target, 'GET', '/api/settings')).json(), 'settings');
    },
  },
  {
    id: 'L.33',
    title: 'system_stats names the version',
    run: async (target) => {
      const stats = object((await expectStatus(200, target, 'GET', '/api/system_stats')).json(), 'the stats');
      filledText(object(stats['system'], 'system')['comfyui_version'], 'comfyui_version');
    },
  },
  {
    id: 'L.8',
    title: 'a refused workflow is answered 400 at once',
    run: async (target) => {
      const body = { prompt: { 1: { class_type: 'SaveImage', inputs: {} } } };
      const refused = object((await expectStatus(400, target, 'POST', '/api/prompt', { body })).json(), 'it');
      filledText(object(refused['error'], 'error')['type'], 'type');
    },
  },
  {
    id: 'L.9',
    title: 'a body that is not JSON is answered 500',
    run: async (target) => {
      const body = new TextEncoder().encode('no JSON');
      await expectStatus(500, target, 'POST', '/api/prompt', { body });
    },
  },
  ...localReadCases,
  ...localWriteCases,
  ...localJobCases,
  ...localNotChecked,
];
