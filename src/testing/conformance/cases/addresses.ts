import assert from 'node:assert/strict';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { openSocket } from '../live-socket.js';
import type { Target } from '../target.js';

/** Chapter 1: addresses and keys. */
export const addressCases: readonly ConformanceCase[] = [
  {
    id: '1.1',
    title: 'a request with the key is answered',
    run: async (target) => {
      await expectStatus(200, target, 'GET', '/api/user');
      await expectStatus(200, target, 'GET', '/api/queue');
    },
  },
  {
    id: '1.2',
    rows: ['status:401'],
    title: 'a request without a key is answered 401, on every endpoint',
    run: (target) => expect401Everywhere(target, null),
  },
  {
    id: '1.3',
    rows: ['status:401'],
    title: 'a request with an unknown key is answered 401',
    run: (target) => expect401Everywhere(target, UNKNOWN_KEY),
  },
  {
    id: '1.4',
    title: 'the socket takes the key as token',
    run: async (target) => {
      await using socket = await openSocket(target);
      await socket.find('a message', () => true);
    },
  },
  {
    id: '1.5',
    title: 'a socket without a good token gets no messages',
    run: async (target) => {
      for (const token of [null, UNKNOWN_KEY]) await expectNoMessages(target, token);
    },
  },
  {
    id: '1.6',
    profiles: ['2026-11'],
    title: 'the key may come as Authorization: Bearer',
    run: async (target) => {
      const bearer = (key: string) => ({ key: null, headers: { Authorization: `Bearer ${key}` } });
      await expectStatus(200, target, 'GET', '/api/user', bearer(target.apiKey));
      await expectStatus(401, target, 'GET', '/api/user', bearer(UNKNOWN_KEY));
    },
  },
];

const UNKNOWN_KEY = 'comfyui-0000000000000000';

const endpoints: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/object_info'],
  ['POST', '/api/upload/image'],
  ['POST', '/api/upload/mask'],
  ['POST', '/api/prompt'],
  ['GET', '/api/job/00000000-0000-4000-8000-000000000000/status'],
  ['GET', '/api/history_v2/00000000-0000-4000-8000-000000000000'],
  ['GET', '/api/view?filename=a.png'],
  ['GET', '/api/queue'],
  ['POST', '/api/queue'],
  ['POST', '/api/interrupt'],
  ['GET', '/api/user'],
];

const expect401Everywhere = async (target: Target, key: string | null): Promise<void> => {
  for (const [method, path] of endpoints) {
    const answer = await api(target, method, path, { key });
    assert.equal(answer.status, 401, `${method} ${path} answers 401`);
  }
};

const expectNoMessages = async (target: Target, token: string | null): Promise<void> => {
  const socket = await openSocket(target, { token }).catch((error: unknown) => {
    assert.match(String(error), /401/, 'the upgrade is answered 401');
  });
  if (socket === undefined) return;
  await using open = socket;
  await open.closed();
  assert.equal(open.messages.length, 0, 'nothing comes over it');
};
