import { afterEach } from 'vitest';
import { type Gate, openGate } from './open-gate.js';

const open: Gate[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((gate) => gate.close()));
});

/** Opens a {@link openGate} that goes away after the test. */
export const gate = async (baseUrl: string, held: string): Promise<Gate> => {
  const opened = await openGate(baseUrl, held);
  open.push(opened);
  return opened;
};
