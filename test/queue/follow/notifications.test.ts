import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { map, merge } from 'rxjs';
import { playedClient } from '../redis/played-client.js';
import { queueNotifications } from '../../../src/server/queue/follow/notifications.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const soon = () => vi.advanceTimersByTimeAsync(0);

const listening = () => {
  const played = playedClient();
  const { appended, changed, cancelled, resumed, progress, missed } = queueNotifications(played.client, 'q');
  const all = merge(
    appended.pipe(map((id) => `appended ${id}`)),
    changed.pipe(map((id) => `changed ${id}`)),
    cancelled.pipe(map((id) => `cancelled ${id}`)),
    resumed.pipe(map((nothing) => `resumed ${String(nothing)}`)),
    progress.pipe(map(({ id, text }) => `progress of ${id}: ${text}`)),
    missed.pipe(map((nothing) => `missed ${String(nothing)}`)),
  );
  return { ...played, all };
};

it('the news of a queue are told by topic, over one connection that ends with the last listener', async () => {
  const { all, duplicates } = listening();
  expect(duplicates).toEqual([]);
  const seen: string[] = [];
  const first = all.subscribe((one) => seen.push(one));
  const second = all.subscribe();
  const [own] = duplicates;
  own?.say('ready');
  await soon();
  expect(own?.calls[1]).toBe(
    `subscribe ${['appended', 'cancel', 'changed', 'resumed', 'progress'].map((topic) => `{promptwire:q}:${topic}`).join(' ')}`,
  );
  const tell = (topic: string, text: string) => own?.message(`{promptwire:q}:${topic}`, text);
  tell('appended', JSON.stringify(['p', 't', 'a']));
  tell('appended', 'no news');
  tell('changed', 'b');
  tell('cancel', 'c');
  tell('resumed', '');
  tell('progress', 'd {"progress": 0.5}');
  expect(seen).toEqual([
    'missed undefined',
    'appended a',
    'changed b',
    'cancelled c',
    'resumed undefined',
    'progress of d: {"progress": 0.5}',
  ]);
  first.unsubscribe();
  expect(own?.calls).not.toContain('destroy');
  second.unsubscribe();
  expect([own?.calls.at(-1), duplicates.length]).toEqual(['destroy', 1]);
});
