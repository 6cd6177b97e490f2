import { afterAll } from 'vitest';
import { type Gate, openGate } from './open-gate.js';

const open: Gate[] = [];

afterAll(async () => {
  await Promise.all(open.splice(0).map((gate) => gate.close()));
});

/** Opens a {@link openGate} that is closed after the tests of the file, as some of them run concurrently. */
export const gate = async (baseUrl: string, held: string): Promise<Gate> => {
  const opened = await openGate(baseUrl, held);
  open.push(opened);
  return opened;
};
