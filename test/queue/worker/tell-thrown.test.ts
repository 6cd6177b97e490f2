import { expect, it } from 'vitest';
import { serviceError } from '../../../src/index.js';
import { tellsThrown } from '../../../src/server/queue/worker/tell-thrown.js';

/** What a worker's program is told, while the connection to Redis works or does not. */
const world = (isAway = false) => {
  const told: string[] = [];
  const tell = tellsThrown({ warn: (message) => void told.push(message), trouble: { isAway: () => isAway } });
  return { tell, told };
};

it('tells what threw, each reason once', () => {
  const { tell, told } = world();
  tell('The run of the job x threw', new TypeError('no id'));
  tell('The run of the job y threw', new TypeError('no id'));
  tell('The run of the job y threw', 'a text');
  expect(told).toEqual([
    'The run of the job x threw: TypeError: no id',
    'The run of the job y threw: a text',
  ]);
});

it('knows a hundred reasons as told', () => {
  const { tell, told } = world();
  for (let reason = 0; reason < 100; reason += 1) tell('It threw', reason);
  tell('It threw', 0);
  expect(told).toHaveLength(100);
  tell('It threw', 100);
  tell('It threw', 0);
  expect(told.slice(100)).toEqual(['It threw: 100', 'It threw: 0']);
});

it('leaves it to the queue to tell of a server that is unreachable, or takes no writes', () => {
  const away = world(true);
  away.tell('It threw', new Error('Connection is closed.'));
  const full = world();
  full.tell('It threw', serviceError('Network', { code: 'OOM', message: 'Redis is full.', sent: false }));
  expect([...away.told, ...full.told]).toEqual([]);
});
