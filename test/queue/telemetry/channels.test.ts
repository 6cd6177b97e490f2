import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it, onTestFinished } from 'vitest';
import { listenTo, publish } from '../../../src/server/queue/telemetry/channels.js';

const paused = { queue: 'q', message: 'No credits.' };

it('publishes to the channel of diagnostics_channel with that name, and to no other', () => {
  const seen: unknown[] = [];
  const take = (message: unknown, name: string | symbol): void => void seen.push([name, message]);
  subscribe('promptwire:queue:pause', take);
  onTestFinished(() => {
    unsubscribe('promptwire:queue:pause', take);
  });
  publish('promptwire:queue:pause', () => paused);
  publish('promptwire:queue:warning', () => paused);
  expect(seen).toEqual([['promptwire:queue:pause', paused]]);
});

it('makes no message that no program takes, before the first listener and after the last', () => {
  let made = 0;
  const make = () => {
    made += 1;
    return paused;
  };
  publish('promptwire:queue:warning', make);
  const seen: unknown[] = [];
  const stops = [1, 2].map(() => listenTo('promptwire:queue:warning', (message) => void seen.push(message)));
  publish('promptwire:queue:warning', make);
  stops[0]?.();
  publish('promptwire:queue:warning', make);
  stops[1]?.();
  publish('promptwire:queue:warning', make);
  expect([made, seen.length]).toEqual([2, 3]);
});
