import assert from 'node:assert/strict';
import { expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { runToEnd } from '../jobs.js';
import { eventsOf, openSocket } from '../live-socket.js';
import { pictureRun } from '../recordings.js';
import { filledText, flag, isObject, number, object } from '../shape.js';

const socketRows = ['endpoint:GET /ws'];

/** Chapters 2.11, 2.12 and 5: the account, and how the socket behaves. */
export const accountAndSocketCases: readonly ConformanceCase[] = [
  {
    id: '2.11.1',
    rows: ['endpoint:GET /api/user'],
    title: 'tells the state of the account',
    run: async (target) => {
      const user = object((await expectStatus(200, target, 'GET', '/api/user')).json(), 'the user');
      assert.equal(user['status'], 'active');
      if (target.profile !== 'interface') filledText(user['id'], 'id');
    },
  },
  {
    id: '2.11.2',
    profiles: ['2026-11'],
    title: 'features are an open object of what the account can do',
    run: async (target) => {
      const told = object((await expectStatus(200, target, 'GET', '/api/features')).json(), 'the features');
      const { max_upload_size: most, can_run_partner_nodes: may, free_tier_balance: balance } = told;
      if (most !== undefined) number(most, 'max_upload_size');
      if (may !== undefined) flag(may, 'can_run_partner_nodes');
      if (balance === undefined) return;
      for (const name of ['allowance', 'used', 'remaining'])
        number(object(balance, 'free_tier_balance')[name], name);
    },
  },
  {
    id: '2.12.1',
    rows: socketRows,
    title: 'upgrades to a WebSocket',
    run: async (target) => {
      await using socket = await openSocket(target);
      assert.ok(socket.isOpen());
    },
  },
  {
    id: '2.12.2',
    rows: socketRows,
    title: 'text is an envelope, the rest are frames',
    run: async (target) => {
      const { messages } = await pictureRun(target);
      assert.ok(messages.length > 0, 'something came');
      for (const message of messages) {
        if (message.kind === 'binary') assert.ok(message.bytes.length >= 4, 'a frame has a type');
        else assert.ok(message.type !== '' && isObject(message.data), 'a text message has type and data');
      }
    },
  },
  {
    id: '5.1',
    rows: [...socketRows, 'event:status'],
    title: 'the first message is status',
    run: async (target) => {
      await using socket = await openSocket(target);
      const first = await socket.find('a message', () => true);
      assert.equal(first.kind === 'text' && first.type, 'status');
    },
  },
  {
    id: '5.2',
    rows: socketRows,
    title: 'every socket gets the messages of every job',
    run: async (target) => {
      const { promptId, messages, plainMessages } = await pictureRun(target);
      for (const type of ['execution_start', 'executing', 'progress', 'executed', 'execution_success']) {
        const events = eventsOf(messages, type, promptId);
        assert.ok(events.length > 0, `${type} came`);
        assert.deepEqual(eventsOf(plainMessages, type, promptId), events, `${type} came to both sockets`);
      }
    },
  },
  {
    id: '5.2.1',
    rows: socketRows,
    needs: ['strangerKey'],
    title: 'another account gets nothing of it',
    run: async (target) => {
      await using stranger = await openSocket(target, { token: target.strangerKey ?? '' });
      const { promptId } = await runToEnd(target, target.workflows.picture());
      await stranger.settle();
      assert.ok(stranger.messages.length > 0, 'the socket is alive');
      const foreign = stranger.messages.filter(
        (message) => message.kind === 'binary' || message.data['prompt_id'] === promptId,
      );
      assert.deepEqual(foreign, []);
    },
  },
  {
    id: '5.3',
    rows: socketRows,
    title: 'nothing is replayed',
    run: async (target) => {
      const { promptId } = await pictureRun(target);
      await using socket = await openSocket(target);
      await socket.find('a message', () => true);
      await socket.settle();
      const late = socket.messages.filter(
        (message) => message.kind === 'text' && message.data['prompt_id'] === promptId,
      );
      assert.deepEqual(late, []);
    },
  },
  {
    id: '5.4',
    rows: socketRows,
    title: 'the handshake is answered with flags',
    run: async (target) => {
      await using socket = await openSocket(target, { flags: { supports_preview_metadata: true } });
      const answer = await socket.find(
        'feature_flags',
        (message) => message.kind === 'text' && message.type === 'feature_flags',
      );
      assert.ok(answer.kind === 'text');
      flag(answer.data['supports_preview_metadata'], 'supports_preview_metadata');
    },
  },
  {
    id: '5.6',
    rows: socketRows,
    title: 'anything else that a client sends is ignored',
    run: async (target) => {
      await using socket = await openSocket(target);
      await socket.settle();
      const before = socket.messages.length;
      for (const message of ['{"type":"hello"}', 'no JSON', '[1]', '', Buffer.from([0, 0, 0, 9])]) {
        socket.send(message);
      }
      await socket.settle();
      assert.ok(socket.isOpen(), 'the socket stays open');
      assert.equal(socket.messages.length, before, 'nothing is answered');
    },
  },
  {
    id: '5.7',
    rows: socketRows,
    title: 'a ping is answered with a pong',
    run: async (target) => {
      await using socket = await openSocket(target);
      assert.ok(socket.isOpen());
      await socket.settle();
    },
  },
];
