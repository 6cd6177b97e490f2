import { expect, it } from 'vitest';
import { inSlots, type Task } from './in-slots.js';

/** Tasks that write down what runs while they do. */
const record = (names: readonly string[], alone: readonly string[], waits: readonly string[] = []) => {
  const running = new Set<string>();
  const beside: string[] = [];
  const tasks = names.map((name): Task => ({
    isAlone: alone.includes(name),
    mostlyWaits: waits.includes(name),
    run: async () => {
      running.add(name);
      for (let tick = 0; tick < 3; tick += 1) await Promise.resolve();
      beside.push(`${name}: ${[...running].sort().join('')}`);
      for (let tick = 0; tick < 3; tick += 1) await Promise.resolve();
      running.delete(name);
    },
  }));
  return { tasks, beside };
};

it('runs tasks two at a time in their order, and what is alone by itself', async () => {
  const { tasks, beside } = record(['a', 'b', 'c', 'd', 'e'], ['c', 'e']);
  await inSlots(tasks, 2);
  expect(beside).toEqual(['a: ab', 'b: ab', 'c: c', 'd: d', 'e: e']);
});

it('runs what mostly waits beside two others, and nothing beside what is alone', async () => {
  const { tasks, beside } = record(['w', 'a', 'b', 'c', 'd'], ['d'], ['w']);
  await inSlots(tasks, 2);
  expect(beside).toEqual(['w: abw', 'a: abw', 'b: abw', 'c: c', 'd: d']);
});

it('fails with the first task that fails', async () => {
  const fails: Task = { run: () => Promise.reject(new Error('first')) };
  const { tasks } = record(['a'], []);
  await expect(inSlots([fails, ...tasks], 2)).rejects.toThrow('first');
});
